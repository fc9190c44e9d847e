/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.client.degraded;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.core.degraded.LostFile;
import org.hadoopmpsr.core.degraded.SourceGroup;
import org.hadoopmpsr.core.rebuild.NeededFiles;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/**
 * The files of other groups that have the records of a file that cannot be read. Those on DataNodes that do not answer are asked
 * last, because each of them would take the timeout. For one thread.
 */
public final class SourceAccess {
    private final URI dataset;
    private final Configuration conf;
    private final NeededFiles needed;
    private final Function<DataFile, List<Set<String>>> nodes;
    private @Nullable DataFile asked;
    private long sinceNs = System.nanoTime();

    /**
     * Asks nobody yet.
     *
     * @param dataset the dataset directory, with its file system
     * @param conf knows the scheme of {@link PlannedFileSystem}
     */
    public SourceAccess(URI dataset, Schema schema, LostFile lost, Configuration conf) {
        this(dataset, schema, lost, conf, file -> PlannedFileSystem.nodes(path(dataset, file), 0, file.length()));
    }

    /** @param nodes tells the DataNodes of each block of a file */
    SourceAccess(
            URI dataset,
            Schema schema,
            LostFile lost,
            Configuration conf,
            Function<DataFile, List<Set<String>>> nodes) {
        this.dataset = dataset;
        this.conf = conf;
        this.nodes = nodes;
        needed = new NeededFiles(schema, lost.group(), List.of(lost.partition()));
    }

    private static Path path(URI dataset, DataFile file) {
        return PlannedFileSystem.path(new Path(dataset.getScheme(), dataset.getAuthority(), file.path()));
    }

    /**
     * The status, under the scheme of {@link PlannedFileSystem}, of a file that is as it was published, and is read next.
     *
     * @throws IOException if it is not there, or was changed
     */
    public FileStatus published(DataFile file) throws IOException {
        asked = file;
        begins();
        Path path = path(dataset, file);
        FileStatus status = path.getFileSystem(conf).getFileStatus(path);
        if (status.getLen() != file.length() || status.getModificationTime() != file.modificationTime()) {
            throw new IOException(file.path() + " was changed after it was published");
        }
        return status;
    }

    /** The groups in the order in which they are asked. */
    List<SourceGroup> inOrder(List<SourceGroup> sources) {
        List<SourceGroup> inOrder = new ArrayList<>();
        List<SourceGroup> last = new ArrayList<>();
        for (SourceGroup source : sources) {
            (isOnSilentNodes(source) ? last : inOrder).add(source);
        }
        inOrder.addAll(last);
        return inOrder;
    }

    private boolean isOnSilentNodes(SourceGroup source) {
        return source.files().stream()
                .filter(needed::mayHold)
                .anyMatch(file -> SilentNodes.holdBlockOf(() -> nodes.apply(file)));
    }

    /** A step of a read begins. */
    void begins() {
        sinceNs = System.nanoTime();
    }

    /** The step has failed. */
    void fails() {
        DataFile file = asked;
        if (file != null) {
            SilentNodes.note(() -> nodes.apply(file), sinceNs, PlannedFileSystem.timeoutMs(conf));
        }
    }
}
