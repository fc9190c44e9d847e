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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.commit.OffsetRules;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.writer.RefusedException;
import org.hadoopmpsr.namenode.writer.RepeatedCommit;

/** The rules for commits of sinks: their sources go on where the committed offsets end. */
final class AppendRules implements ChangeRules {
    private final Completion.Shared parts;
    private final DatasetRecord dataset;
    private final DatasetChange change;
    private final RepeatedCommit repeated;
    private List<NamedFile> named = List.of();
    private ContentHash content = ContentHash.EMPTY;

    AppendRules(Completion.Shared parts, DatasetRecord dataset, DatasetChange change, RepeatedCommit repeated) {
        this.parts = parts;
        this.dataset = dataset;
        this.change = change;
        this.repeated = repeated;
    }

    @Override
    public void read(List<NamedFile> files, ContentHash records) throws IOException {
        named = files;
        content = records;
        Optional<String> problem = OffsetRules.problem(change.sources(), records.count());
        if (problem.isPresent()) {
            throw RefusedException.of(Kind.INVALID, change, dataset, problem.get());
        }
    }

    @Override
    public Fence.Decision decide() throws IOException {
        List<CommittedOffset> committed = offsets();
        Fence.Decision decision = Fence.decide(change.id(), change.sources(), committed);
        if (decision.verdict() != Fence.Verdict.ALREADY_COMMITTED) {
            Optional<String> other = Fence.otherTopic(change.sources(), committed);
            if (other.isPresent()) {
                throw new RefusedException(Kind.OTHER_TOPIC, "commit " + change.id() + " is refused: " + other.get());
            }
        }
        return decision;
    }

    @Override
    public void prepare() throws IOException {
        repeated.checkNew(parts.offsets().ofCommit(dataset, change.id()));
        if (parts.system().read(() -> parts.segments().get(dataset, change.id())) != null) {
            throw RefusedException.of(
                    Kind.INVALID,
                    change,
                    dataset,
                    "a segment of this id exists already; choose an id that no other commit has");
        }
    }

    @Override
    public OptionalLong modificationTime(NamedFile file) {
        return OptionalLong.empty();
    }

    @Override
    public CommitRecord record(ContentHash records) {
        return new CommitRecord(change, records, OffsetRules.noted(change.sources(), records.count()));
    }

    @Override
    public void giveRights(NamespaceEdits edits, String source, INode parent) throws IOException {
        edits.setGroup(source, parent.getGroupName()); // as if it had been written there
    }

    @Override
    public void confirm() throws IOException {
        prepare(); // another commit may have come meanwhile
    }

    @Override
    public void checkAgain() {
        // the sources are looked at with the commit point
    }

    @Override
    public CommittedContent after(CommittedContent before, CommittedContent added) {
        return before.plus(added);
    }

    @Override
    public Completion completion() {
        return new AppendCompletion(parts, dataset, change.id());
    }

    @Override
    public void checkSame() throws IOException {
        repeated.checkSame(content, named);
    }

    @Override
    public List<CommittedOffset> offsets() throws IOException {
        return parts.offsets().of(dataset, change.sources());
    }
}
