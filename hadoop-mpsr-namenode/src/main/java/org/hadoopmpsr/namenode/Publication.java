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
package org.hadoopmpsr.namenode;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.client.Wire;
import org.hadoopmpsr.client.proto.MpsrProtos.CommitProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto.Outcome;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.CommitCheck.CheckedFile;
import org.hadoopmpsr.namenode.CommitCheck.NamedFile;
import org.hadoopmpsr.namenode.Counters.Counter;
import org.jspecify.annotations.Nullable;

/**
 * The publish of one commit, in all groups or in none. What takes long is done first, in short holds of the lock: no
 * reader sees it, and a crash leaves a commit that is still staged. The last hold makes sure that all is as it was
 * prepared, passes the commit point, which is one rename of the staged directory, and puts everything into place that
 * readers without MPSR see; the other groups' files follow in short holds. A crash after the commit point is rolled
 * forward. For one thread and one call of {@link #run}.
 */
final class Publication {
    /** Files prepared in one hold of the lock. */
    private static final int STEP = 50;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final MpsrConfig config;
    private final Offsets offsets;
    private final DatasetLocks locks;
    private final RollForward rollForward;
    private final Counters counters;
    private final DatasetRecord dataset;
    private final PublishRequestProto request;
    private final List<CommitSource> sources;
    private final String commitId;
    private final String staging;
    private final CommitCheck check;
    private long stagingId;
    /** What the first prepared files got. */
    private NamespaceEdits.@Nullable Access prepared;

    private boolean committed;

    Publication(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            MpsrConfig config,
            Offsets offsets,
            DatasetLocks locks,
            RollForward rollForward,
            Counters counters,
            DatasetRecord dataset,
            PublishRequestProto request,
            List<CommitSource> sources) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.config = config;
        this.offsets = offsets;
        this.locks = locks;
        this.rollForward = rollForward;
        this.counters = counters;
        this.dataset = dataset;
        this.request = request;
        this.sources = sources;
        this.commitId = request.getCommitId();
        this.staging = layout.stagingDir(dataset.id(), commitId);
        this.check = new CommitCheck(namespace, layout, dataset, commitId);
    }

    /** @throws IOException with what is wrong: nothing is published */
    PublishResponseProto run() throws IOException {
        Fence.Decision decision = locks.alone(
                dataset,
                () -> hold(edits -> {
                    counters.add(Counter.ROLLED_FORWARD, rollForward.completeAll(edits, dataset));
                    return fence();
                }));
        if (decision.verdict() == Fence.Verdict.OPEN) {
            try {
                List<CheckedFile> files = prepare();
                decision = locks.alone(dataset, () -> finish(files));
            } catch (IOException e) {
                if (committed) {
                    throw e;
                }
                decision = system.read(this::fence);
                if (decision.verdict() == Fence.Verdict.OPEN) {
                    counters.increment(Counter.REFUSED_COMMITS);
                    throw e;
                }
                // committed by another call meanwhile, which is why something was missing
            }
        }
        if (decision.verdict() != Fence.Verdict.OPEN) {
            boolean fenced = decision.verdict() == Fence.Verdict.FENCED;
            counters.increment(fenced ? Counter.FENCED_COMMITS : Counter.REPEATED_COMMITS);
        }
        return answer(decision);
    }

    private <T> T hold(MpsrNamesystem.Write<T> call) throws IOException {
        return system.write("mpsrPublish", edits -> {
            long start = System.nanoTime();
            try {
                return call.run(edits);
            } finally {
                long heldMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                counters.max(Counter.PUBLISH_LOCK_MS_MAX, heldMs);
                counters.add(Counter.PUBLISH_LOCK_MS, heldMs);
            }
        });
    }

    private Fence.Decision fence() throws IOException {
        return Fence.decide(commitId, sources, offsets.of(dataset));
    }

    private PublishResponseProto answer(Fence.Decision decision) throws IOException {
        PublishResponseProto.Builder response = PublishResponseProto.newBuilder()
                .setOutcome(outcome(decision.verdict()))
                .setReason(decision.reason());
        system.read(() -> offsets.of(dataset, sources)).forEach(o -> response.addOffset(Wire.offset(o)));
        return response.build();
    }

    private static Outcome outcome(Fence.Verdict verdict) {
        return switch (verdict) {
            case OPEN -> Outcome.COMMITTED;
            case ALREADY_COMMITTED -> Outcome.ALREADY_COMMITTED;
            case FENCED -> Outcome.FENCED;
        };
    }

    /** Checks all, and then gives the staged files what they have when they are published, and their parents. */
    private List<CheckedFile> prepare() throws IOException {
        List<NamedFile> named = check.named(request, config.maxCommitFiles());
        int maxAttributeBytes = hold(edits -> {
            checkStagingDirectory(edits);
            return edits.maxXAttrBytes(Attributes.FILE);
        });
        List<CheckedFile> files = new ArrayList<>(named.size());
        for (List<NamedFile> step : steps(named)) {
            system.read(() -> {
                for (NamedFile file : step) {
                    files.add(check.check(file, maxAttributeBytes));
                }
                return true;
            });
        }
        check.checkStaged(files);
        for (List<CheckedFile> step : steps(files)) {
            hold(edits -> {
                prepare(edits, step);
                return true;
            });
        }
        return files;
    }

    private static <T> List<List<T>> steps(List<T> all) {
        List<List<T>> steps = new ArrayList<>();
        for (int from = 0; from < all.size(); from += STEP) {
            steps.add(all.subList(from, Math.min(from + STEP, all.size())));
        }
        return steps;
    }

    /** The staging directory is the caller's, and the offsets have names that HDFS takes. */
    private void checkStagingDirectory(NamespaceEdits edits) throws IOException {
        INode directory = namespace.find(staging);
        if (directory == null) {
            throw notBegun();
        }
        if (!directory.getUserName().equals(system.caller())) {
            system.checkSuperuser("mpsrPublish", staging);
        }
        stagingId = directory.getId();
        CommitProto.Builder commit = CommitProto.newBuilder().setId(commitId);
        for (CommitSource source : sources) {
            edits.checkName(Offsets.recordOf(source, commitId).directoryName());
            commit.addSource(Wire.source(source));
        }
        edits.setXAttr(staging, Attributes.COMMIT, commit.build().toByteArray());
    }

    private IOException notBegun() {
        return new FileNotFoundException(staging + " does not exist: the commit was not begun, or it was aborted"
                + " or begun anew; begin it and stage its files again");
    }

    private void prepare(NamespaceEdits edits, List<CheckedFile> files) throws IOException {
        prepared = prepared == null ? access() : prepared;
        for (CheckedFile file : files) {
            rollForward.makeParent(edits, dataset, file.target());
            edits.setXAttr(file.source(), Attributes.FILE, file.attribute());
            edits.setAccess(file.source(), prepared);
        }
    }

    private NamespaceEdits.Access access() throws IOException {
        return new DatasetAccess(namespace.require(dataset.path())).file();
    }

    /** The commit, and then what readers without MPSR do not see, in short holds. */
    private Fence.Decision finish(List<CheckedFile> files) throws IOException {
        RollForward.Completion completion = rollForward.new Completion(dataset, commitId);
        Fence.Decision decision = hold(edits -> commit(edits, files, completion));
        if (decision.verdict() == Fence.Verdict.OPEN) {
            boolean complete = false;
            while (!complete) {
                complete = hold(edits -> completion.goOn(edits, STEP));
            }
            counters.increment(Counter.COMMITS);
            counters.add(Counter.COMMITTED_FILES, files.size());
        }
        return decision;
    }

    /** Under one hold of the lock: all that can fail is checked again, then the commit is made. */
    private Fence.Decision commit(NamespaceEdits edits, List<CheckedFile> files, RollForward.Completion completion)
            throws IOException {
        counters.add(Counter.ROLLED_FORWARD, rollForward.completeAll(edits, dataset));
        Fence.Decision decision = fence();
        if (decision.verdict() != Fence.Verdict.OPEN) {
            return decision;
        }
        INode directory = namespace.find(staging);
        if (directory == null || directory.getId() != stagingId) {
            throw notBegun();
        }
        if (!dataset.path().equals(namespace.pathOf(dataset.inodeId()))) {
            throw check.refused("the dataset's directory was moved or deleted while it was published");
        }
        check.checkStaged(files);
        Map<String, String> moves = new HashMap<>();
        for (CheckedFile file : files) {
            moves.put(file.source(), file.target());
        }
        edits.checkRenames(moves);
        NamespaceEdits.Access access = access();
        if (!access.equals(prepared)) {
            for (CheckedFile file : files) {
                edits.setAccess(file.source(), access);
            }
        }
        committed = true;
        edits.rename(staging, layout.publishingDir(dataset.id(), commitId));
        completion.show(edits);
        return decision;
    }
}
