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
package org.hadoopmpsr.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a sink relies on, of the fake as of the real target: a commit is taken whole, or refused with the kind of reason. */
abstract class CommitTargetContract {
    /** How many files a commit may have. */
    static final int MAX_FILES = 6;

    private CommitTarget target;

    /** Creates a new dataset at the target's path, with {@link SessionFixture#SCHEMA} and {@link SessionFixture#GROUPS}. */
    abstract void create() throws Exception;

    abstract void drop() throws Exception;

    /** Opens the dataset for a writer, whom an operator may keep from it. */
    abstract CommitTarget open() throws Exception;

    abstract void permit(boolean writing) throws Exception;

    abstract void leaveSpace(boolean enough) throws Exception;

    /** Whether MPSR is ready in the NameNode. */
    abstract void ready(boolean ready) throws Exception;

    /** What a superuser does with {@code hdfs mpsr dataset offsets --reset}. */
    abstract void reset(OffsetReset reset) throws Exception;

    @BeforeEach
    void begin() throws Exception {
        create();
        target = open();
    }

    @AfterEach
    void end() throws Exception {
        target.close();
        drop();
    }

    private static CommitSource source(long start, long end) {
        return new CommitSource("t", 0, start, end, "topic-1");
    }

    private List<StagedFile> staged(String id) throws Exception {
        BegunCommit begun = target.begin(id).require();
        assertThat(begun.maxFiles()).isEqualTo(MAX_FILES);
        RecordBuffer buffer = new RecordBuffer(SessionFixture.SCHEMA);
        RecordAppender appender = new RecordAppender(buffer, SessionFixture.GROUPS);
        for (int i = 0; i < 5; i++) {
            appender.begin();
            appender.putLong(0, i);
            appender.putUtf8(1, new byte[] {'s'}, 0, 1);
            appender.putLong(2, i);
            appender.end(0);
        }
        try (CommitStager stager = new CommitStager(target, SessionFixture.GROUPS, 1)) {
            List<StagedFile> files = stager.stage(buffer, id, begun).files();
            assertThat(files).isNotEmpty().allMatch(f -> f.length() > 0);
            return files;
        }
    }

    private PublishResult publish(String id, CommitSource source, List<StagedFile> files) throws IOException {
        return target.publish(id, List.of(source), files);
    }

    private static void assertRefused(PublishResult result, Kind kind) {
        assertThat(result.outcome()).isEqualTo(Outcome.REFUSED);
        assertRefused(result.refusal(), kind);
        assertThat(result.reason()).isEqualTo(result.refusal().reason());
    }

    private static void assertRefused(Refusal refusal, Kind kind) {
        assertThat(refusal).isNotNull();
        assertThat(refusal.kind()).as(refusal.reason()).isEqualTo(kind);
        assertThat(refusal.reason()).isNotBlank().doesNotContain("\n\tat ");
    }

    @Test
    void aCommitIsPublishedOnceWithItsOffsetsAndTheTopicsId() throws Exception {
        assertThat(target.offsets()).isEqualTo(CommittedOffsets.of(List.of()));
        List<StagedFile> files = staged("c1");
        CommittedOffset end = new CommittedOffset("t", 0, 5, "c1", "topic-1");

        PublishResult first = publish("c1", source(0, 5), files);
        assertThat(first).isEqualTo(new PublishResult(Outcome.COMMITTED, "", null, List.of(end)));
        assertThat(target.offsets()).isEqualTo(CommittedOffsets.of(List.of(end)));

        PublishResult again = publish("c1", source(0, 5), files);
        assertThat(again).isEqualTo(new PublishResult(Outcome.ALREADY_COMMITTED, "", null, List.of(end)));
        target.abort("c1");
        assertThat(target.offsets()).isEqualTo(CommittedOffsets.of(List.of(end)));
    }

    @Test
    void aCommitThatDoesNotBeginWhereTheDatasetEndsIsFenced() throws Exception {
        publish("c1", source(0, 5), staged("c1"));
        PublishResult late = publish("c2", source(3, 9), staged("c2"));
        assertThat(late.outcome()).isEqualTo(Outcome.FENCED);
        assertThat(late.refusal()).isNull();
        assertThat(late.reason()).contains("go on from offset 5");
        assertThat(late.offsets()).containsExactly(new CommittedOffset("t", 0, 5, "c1", "topic-1"));
        target.abort("c2");
    }

    @Test
    void offsetsOfATopicMadeAnewAreRefused() throws Exception {
        publish("c1", source(0, 5), staged("c1"));
        CommitSource other = new CommitSource("t", 0, 5, 10, "topic-2");
        PublishResult result = publish("c2", other, staged("c2"));
        assertRefused(result, Kind.OTHER_TOPIC);
        assertThat(result.reason()).contains("the topic t (id topic-2) is not the one");
        target.abort("c2");

        assertThat(publish("c3", source(5, 10).withTopicId(null), staged("c3")).isCommitted())
                .as("a writer that does not know the id")
                .isTrue();
        assertThat(target.offsets().offsets()).containsExactly(new CommittedOffset("t", 0, 10, "c3", "topic-1"));
    }

    @Test
    void nothingIsTakenWhereThereIsNoDatasetAnyMore() throws Exception {
        List<StagedFile> files = staged("c1");
        drop();
        assertRefused(target.begin("c2").refusal(), Kind.NO_SUCH_DATASET);
        assertRefused(publish("c1", source(0, 5), files), Kind.NO_SUCH_DATASET);
        assertRefused(target.offsets().refusal(), Kind.NO_SUCH_DATASET);
        create();
    }

    @Test
    void nothingIsTakenForADatasetThatWasCreatedAgain() throws Exception {
        List<StagedFile> files = staged("c1");
        drop();
        create();
        assertRefused(target.begin("c2").refusal(), Kind.OTHER_DATASET);
        assertRefused(publish("c1", source(0, 5), files), Kind.OTHER_DATASET);
        assertRefused(target.offsets().refusal(), Kind.OTHER_DATASET);
        target.abort("c1");
        try (CommitTarget anew = open()) {
            assertThat(anew.offsets().offsets()).isEmpty();
            assertThat(anew.begin("c1").refusal()).isNull();
            anew.abort("c1");
        }
    }

    @Test
    void aWriterWithoutPermissionIsRefusedUntilHeHasIt() throws Exception {
        List<StagedFile> files = staged("c1");
        permit(false);
        assertRefused(target.begin("c2").refusal(), Kind.NO_PERMISSION);
        assertRefused(publish("c1", source(0, 5), files), Kind.NO_PERMISSION);
        permit(true);
        assertThat(publish("c1", source(0, 5), files).outcome()).isEqualTo(Outcome.COMMITTED);
    }

    @Test
    void aQuotaThatIsTooSmallRefusesUntilItIsRaised() throws Exception {
        List<StagedFile> files = staged("c1");
        leaveSpace(false);
        assertRefused(publish("c1", source(0, 5), files), Kind.NO_SPACE);
        leaveSpace(true);
        assertThat(publish("c1", source(0, 5), files).outcome()).isEqualTo(Outcome.COMMITTED);
    }

    @Test
    void aNameNodeThatIsNotReadyRefusesUntilItIs() throws Exception {
        List<StagedFile> files = staged("c1");
        ready(false);
        assertRefused(target.begin("c2").refusal(), Kind.NOT_READY);
        assertRefused(publish("c1", source(0, 5), files), Kind.NOT_READY);
        assertThat(target.offsets()).as("offsets can be read").isEqualTo(CommittedOffsets.of(List.of()));
        ready(true);
        assertThat(publish("c1", source(0, 5), files).outcome()).isEqualTo(Outcome.COMMITTED);
    }

    @Test
    void anotherCommitUnderAnIdThatIsTakenIsRefused() throws Exception {
        publish("c1", source(0, 5), staged("c1"));
        assertRefused(publish("c1", source(5, 10), staged("c1")), Kind.INVALID);
        target.abort("c1");
        assertThat(target.offsets().offsets()).containsExactly(new CommittedOffset("t", 0, 5, "c1", "topic-1"));
    }

    @Test
    void moreOffsetsThanATopicLeavesOutAreRefused() throws Exception {
        for (long end : new long[] {(1L << 40) + 6, Long.MAX_VALUE}) {
            assertRefused(publish("c1", source(0, end), staged("c1")), Kind.INVALID);
            target.abort("c1");
        }
        assertThat(publish("c1", source(0, (1L << 40) + 5), staged("c1")).outcome())
                .isEqualTo(Outcome.COMMITTED);
    }

    @Test
    void commitsGoOnFromWhereTheOffsetWasReset() throws Exception {
        publish("c1", source(0, 5), staged("c1"));
        reset(new OffsetReset("t", 0, 5, 3));
        assertThat(publish("c2", source(5, 9), staged("c2")).outcome()).isEqualTo(Outcome.FENCED);
        target.abort("c2");
        assertThat(publish("c3", source(3, 9).withTopicId("topic-2"), staged("c3"))
                        .outcome())
                .as("also of a topic that was made anew")
                .isEqualTo(Outcome.COMMITTED);
        assertThat(target.offsets().offsets()).containsExactly(new CommittedOffset("t", 0, 9, "c3", "topic-2"));
    }

    @Test
    void moreFilesThanAllowedAreRefused() throws Exception {
        List<StagedFile> files = new ArrayList<>(staged("c1"));
        files.addAll(Collections.nCopies(MAX_FILES + 1 - files.size(), files.get(0)));
        PublishResult result = publish("c1", source(0, 5), files);
        assertRefused(result, Kind.TOO_MANY_FILES);
        assertThat(result.reason()).contains(files.size() + " files are more than the " + MAX_FILES);
        target.abort("c1");
    }

    @Test
    void whatWasNotStagedIsRefused() throws Exception {
        List<StagedFile> files = staged("c1");
        target.abort("c1");
        target.abort("c1");
        assertRefused(publish("c1", source(0, 5), files), Kind.NOT_STAGED);
    }

    @Test
    void groupsWithDifferentRecordsAreRefused() throws Exception {
        List<StagedFile> files = new ArrayList<>(staged("c1"));
        files.removeIf(file -> file.group().equals("signal"));
        assertRefused(publish("c1", source(0, 5), files), Kind.INVALID);
        assertThat(target.offsets().offsets()).isEmpty();
        target.abort("c1");
    }
}
