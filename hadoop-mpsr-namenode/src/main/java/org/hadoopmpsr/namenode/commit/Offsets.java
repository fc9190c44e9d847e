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
package org.hadoopmpsr.namenode.commit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * The committed offsets of datasets, each a directory in the store. The directory's name says the offset, its attribute the
 * topic's id, which earlier versions neither write nor read.
 */
public final class Offsets {
    private final Namespace namespace;
    private final StoreLayout layout;

    public Offsets(Namespace namespace, StoreLayout layout) {
        this.namespace = namespace;
        this.layout = layout;
    }

    /** All committed offsets of a dataset. Needs the read lock. */
    public List<CommittedOffset> of(DatasetRecord dataset) throws IOException {
        List<CommittedOffset> offsets = new ArrayList<>();
        for (INode record : namespace.children(layout.offsetsDir(dataset.id()))) {
            byte[] topicId = Attributes.get(record, Attributes.TOPIC);
            CommittedOffset offset = CommittedOffset.parse(record.getLocalName());
            offsets.add(topicId == null ? offset : offset.withTopicId(new String(topicId, StandardCharsets.UTF_8)));
        }
        return offsets;
    }

    /** The committed offsets of the sources' topic-partitions. Needs the read lock. */
    List<CommittedOffset> of(DatasetRecord dataset, List<CommitSource> sources) throws IOException {
        return of(dataset).stream()
                .filter(o -> sources.stream().anyMatch(o::isOf))
                .toList();
    }

    /**
     * Records the end offsets of a complete commit. Does nothing if these, or later offsets, are recorded already.
     * Needs the write lock.
     */
    void record(NamespaceEdits edits, DatasetRecord dataset, String commitId, List<CommitSource> sources)
            throws IOException {
        String dir = layout.offsetsDir(dataset.id());
        List<CommittedOffset> before = of(dataset);
        for (CommitSource source : sources) {
            CommittedOffset next = recordOf(source, commitId);
            CommittedOffset last =
                    before.stream().filter(o -> o.isOf(source)).findFirst().orElse(null);
            String path = dir + "/" + next.directoryName();
            if (last == null) {
                edits.mkdirs(path, NamespaceEdits.Access.own());
            } else if (last.end() < next.end()) {
                edits.rename(dir + "/" + last.directoryName(), path);
            }
            if (last == null || last.end() < next.end() || last.equals(next.withTopicId(last.topicId()))) {
                recordTopic(edits, path, source, last);
            }
        }
    }

    private static void recordTopic(
            NamespaceEdits edits, String path, CommitSource source, @Nullable CommittedOffset last) throws IOException {
        String topicId = source.topicId();
        if (topicId != null && (last == null || !topicId.equals(last.topicId()))) {
            edits.setXAttr(path, Attributes.TOPIC, topicId.getBytes(StandardCharsets.UTF_8));
        }
    }

    static CommittedOffset recordOf(CommitSource source, String commitId) {
        return new CommittedOffset(source.topic(), source.partition(), source.end(), commitId);
    }
}
