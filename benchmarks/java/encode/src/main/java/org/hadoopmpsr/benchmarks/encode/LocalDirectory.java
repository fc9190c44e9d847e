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
package org.hadoopmpsr.benchmarks.encode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.ingest.commit.CommitTarget;
import org.hadoopmpsr.ingest.commit.CommittedOffsets;

/** A directory in place of HDFS; nothing is published. */
public record LocalDirectory(Path root) implements CommitTarget {
    @Override
    public BegunCommit begin(String commitId) {
        return new BegunCommit(root.resolve(commitId).toString(), Integer.MAX_VALUE, null);
    }

    @Override
    public OutputFile file(String path) {
        try {
            Files.createDirectories(Path.of(path).getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LocalOutputFile(Path.of(path));
    }

    long sizeBytes(String commitId) throws IOException {
        try (Stream<Path> all = Files.walk(root.resolve(commitId))) {
            return all.filter(Files::isRegularFile)
                    .mapToLong(f -> f.toFile().length())
                    .sum();
        }
    }

    @Override
    public void abort(String commitId) throws IOException {
        try (Stream<Path> all = Files.walk(root.resolve(commitId))) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Override
    public Dataset dataset() {
        throw new UnsupportedOperationException("nothing is published here");
    }

    @Override
    public CommittedOffsets offsets() {
        throw new UnsupportedOperationException("nothing is published here");
    }

    @Override
    public PublishResult publish(String commitId, List<CommitSource> sources, List<StagedFile> files) {
        throw new UnsupportedOperationException("nothing is published here");
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(root);
    }
}
