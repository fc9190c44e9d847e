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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.core.commit.OffsetRules;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Schema;

/** A dataset in a local directory that fences as the NameNode does, and fails where a test says so. */
public final class LocalTarget implements CommitTarget {
    /** Where a call fails. */
    public enum Fault {
        DATASET,
        BEGIN,
        CREATE,
        WRITE,
        CLOSE,
        BEFORE_PUBLISH,
        AFTER_PUBLISH,
        ABORT
    }

    /** Called before each step; throws to make it fail. */
    public interface Faults {
        void at(Fault place) throws IOException;
    }

    public final Map<String, CommittedOffset> offsets = new LinkedHashMap<>();
    public final List<String> published = new ArrayList<>();
    public Faults faults = place -> {};
    /** The dataset at the path now; empty for none. */
    public String id;
    /** How many files a commit may have. */
    public int maxFiles = 10_000;
    /** What every call is refused for, or null. */
    public Refusal refusal;

    private final Path root;
    private final Dataset dataset;

    public LocalTarget(Path root, Schema schema, ReplicaGroups groups) {
        this(root, "1", schema, groups);
    }

    LocalTarget(Path root, String id, Schema schema, ReplicaGroups groups) {
        this.root = root;
        this.id = id;
        dataset = new Dataset("/cals/meas", id, schema, groups, List.of(), List.of());
    }

    @Override
    public Dataset dataset() {
        return dataset;
    }

    private Refusal refusal() {
        if (refusal != null) {
            return refusal;
        }
        if (id.isEmpty()) {
            return new Refusal(Kind.NO_SUCH_DATASET, "there is no dataset at " + dataset.path());
        }
        return id.equals(dataset.id())
                ? null
                : new Refusal(Kind.OTHER_DATASET, "the dataset at " + dataset.path() + " is another one");
    }

    @Override
    public synchronized CommittedOffsets offsets() throws IOException {
        faults.at(Fault.DATASET);
        Refusal found = refusal();
        return found == null || found.kind() == Kind.NOT_READY
                ? CommittedOffsets.of(List.copyOf(offsets.values()))
                : new CommittedOffsets(List.of(), found);
    }

    @Override
    public BegunCommit begin(String commitId) throws IOException {
        faults.at(Fault.BEGIN);
        if (refusal() != null) {
            return new BegunCommit("", 0, refusal());
        }
        Path dir = root.resolve("staging").resolve(commitId);
        Files.createDirectories(dir);
        return new BegunCommit(dir.toString(), maxFiles, null);
    }

    @Override
    public OutputFile file(String path) {
        return new LocalOutputFile(Path.of(path)) {
            @Override
            public PositionOutputStream create(long blockSizeHint) throws IOException {
                faults.at(Fault.CREATE);
                Files.createDirectories(Path.of(path).getParent());
                return new FaultyStream(super.create(blockSizeHint));
            }
        };
    }

    private final class FaultyStream extends PositionOutputStream {
        private final PositionOutputStream out;

        FaultyStream(PositionOutputStream out) {
            this.out = out;
        }

        @Override
        public long getPos() throws IOException {
            return out.getPos();
        }

        @Override
        public void write(int b) throws IOException {
            faults.at(Fault.WRITE);
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            faults.at(Fault.WRITE);
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            out.close();
            faults.at(Fault.CLOSE);
        }
    }

    @Override
    public synchronized PublishResult publish(String commitId, List<CommitSource> sources, List<StagedFile> files)
            throws IOException {
        faults.at(Fault.BEFORE_PUBLISH);
        Refusal found = refusal();
        Fence.Decision decision = Fence.decide(commitId, sources, offsets.values());
        if (found == null && decision.verdict() != Fence.Verdict.ALREADY_COMMITTED) {
            found = Fence.otherTopic(sources, offsets.values())
                    .map(reason -> new Refusal(Kind.OTHER_TOPIC, reason))
                    .orElse(null);
        }
        if (found == null && decision.verdict() == Fence.Verdict.OPEN) {
            found = problem(commitId, sources, files);
        }
        if (found != null) {
            return PublishResult.refused(found);
        }
        if (decision.verdict() == Fence.Verdict.OPEN) {
            published.add(commitId);
            Files.createDirectories(root.resolve("published"));
            Files.move(root.resolve("staging").resolve(commitId), published(commitId));
            for (CommitSource s : sources) {
                CommittedOffset before = offsets.get(s.topic() + "-" + s.partition());
                String topicId = s.topicId() == null && before != null ? before.topicId() : s.topicId();
                offsets.put(
                        s.topic() + "-" + s.partition(),
                        new CommittedOffset(s.topic(), s.partition(), s.end(), commitId, topicId));
            }
        }
        faults.at(Fault.AFTER_PUBLISH);
        List<CommittedOffset> ends = sources.stream()
                .map(s -> offsets.get(s.topic() + "-" + s.partition()))
                .filter(o -> o != null)
                .toList();
        return new PublishResult(outcome(decision.verdict()), decision.reason(), null, ends);
    }

    private static Outcome outcome(Fence.Verdict verdict) {
        return switch (verdict) {
            case OPEN -> Outcome.COMMITTED;
            case ALREADY_COMMITTED -> Outcome.ALREADY_COMMITTED;
            case FENCED -> Outcome.FENCED;
        };
    }

    /** What a superuser does with {@code hdfs mpsr dataset offsets --reset}. */
    synchronized void reset(OffsetReset reset) {
        offsets.put(
                reset.topic() + "-" + reset.partition(),
                new CommittedOffset(reset.topic(), reset.partition(), reset.to(), "reset"));
    }

    private Refusal problem(String commitId, List<CommitSource> sources, List<StagedFile> files) {
        if (published.contains(commitId)) {
            return new Refusal(Kind.INVALID, "a commit of the id " + commitId + " was published before");
        }
        if (files.size() > maxFiles) {
            return new Refusal(Kind.TOO_MANY_FILES, files.size() + " files are more than the " + maxFiles);
        }
        if (!Files.exists(root.resolve("staging").resolve(commitId))) {
            return new Refusal(Kind.NOT_STAGED, "the commit was not begun");
        }
        Map<String, ContentHash> contents = new TreeMap<>();
        files.forEach(f -> contents.merge(f.group(), f.statistics().content(), ContentHash::plus));
        long records = contents.values().stream()
                .mapToLong(ContentHash::count)
                .findFirst()
                .orElse(0);
        Optional<String> offsetProblem = OffsetRules.problem(sources, records);
        if (offsetProblem.isPresent()) {
            return new Refusal(Kind.INVALID, offsetProblem.get());
        }
        boolean inAllGroups = files.isEmpty()
                || contents.keySet().equals(Set.copyOf(dataset.groups().names()));
        return inAllGroups && Set.copyOf(contents.values()).size() <= 1
                ? null
                : new Refusal(Kind.INVALID, "the groups do not hold the same records: " + contents);
    }

    @Override
    public void abort(String commitId) throws IOException {
        faults.at(Fault.ABORT);
        Path dir = root.resolve("staging").resolve(commitId);
        if (Files.exists(dir)) {
            try (Stream<Path> files = Files.walk(dir)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public void close() {}

    /** The directory of a published commit, with a directory per group. */
    Path published(String commitId) {
        return root.resolve("published").resolve(commitId);
    }

    /** The files of a group in all published commits. */
    List<Path> files(String group) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String commit : published) {
            try (Stream<Path> files = Files.walk(published(commit))) {
                files.filter(f -> f.startsWith(published(commit).resolve(group)))
                        .filter(f -> f.toString().endsWith(".parquet"))
                        .sorted()
                        .forEach(found::add);
            }
        }
        return found;
    }

    /** The commits whose files are still staged. */
    List<Path> staged() throws IOException {
        if (!Files.exists(root.resolve("staging"))) {
            return List.of();
        }
        try (Stream<Path> dirs = Files.list(root.resolve("staging"))) {
            return dirs.toList();
        }
    }
}
