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
package org.hadoopmpsr.catalog.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.GroupSpec;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Finds the files that a scan reads. Safe for use by several threads. */
public final class Planning {
    private static final Logger LOG = PrintableLog.of(Planning.class);

    private final DirectoryFiles directories = new DirectoryFiles();

    /**
     * The files of a scan.
     *
     * @param files each record of the dataset that may pass the filter is in one of them, once; in the order of their paths
     * @param groups the groups that they are of, the chosen one first
     * @param reason why they are read
     * @param candidates what each group would cost
     * @param state which list of files this is
     */
    public record Planned(
            List<PlannedFile> files,
            List<String> groups,
            String reason,
            List<Candidate> candidates,
            ListedState state) {}

    /**
     * Plans a scan.
     *
     * @param group the group to read, or null for the cheapest one
     * @throws IOException if the caller may not read the dataset, among others
     * @throws IllegalArgumentException if there is no such state of the dataset
     */
    public Planned plan(MpsrClient client, FileSystem fs, DatasetTable table, ScanRequest scan, @Nullable String group)
            throws IOException {
        Request request = new Request(client, fs, table, scan);
        if (scan.range() != null) {
            return added(request, scan.range(), group);
        }
        return cheapest(request, scan.asOf() == null ? scan.request() : scan.requestAsOf(scan.asOf()), group);
    }

    /**
     * The same files as an earlier plan, also if the dataset has changed since and the state that was planned can still be read.
     *
     * @param group as it was given to the earlier plan
     * @return empty if the files are not the same any more
     */
    public Optional<Planned> again(
            MpsrClient client,
            FileSystem fs,
            DatasetTable table,
            ScanRequest scan,
            @Nullable String group,
            ListedState state)
            throws IOException {
        Planned planned = plan(client, fs, table, scan, group);
        if (planned.state().fingerprint() == state.fingerprint()) {
            return Optional.of(planned);
        }
        if (scan.range() != null || state.change() == 0) {
            return Optional.empty();
        }
        long change = scan.asOf() == null ? state.change() : scan.asOf();
        try {
            Planned past = one(new Request(client, fs, table, scan), scan.requestAsOf(change), state.group());
            return past.state().fingerprint() == state.fingerprint() ? Optional.of(past) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private record Request(MpsrClient client, FileSystem fs, DatasetTable table, ScanRequest scan) {}

    /** The planner's choice, or a group of which the partitions exclude more than the planner knows. */
    private Planned cheapest(Request request, ReadRequest read, @Nullable String group) throws IOException {
        Planned best = one(request, read, group);
        if (group != null) {
            return best;
        }
        for (String other : request.scan.pruning().groups(request.table)) {
            if (!best.groups().contains(other)) {
                Planned planned = ifReadable(request, read, other).orElse(best);
                best = bytes(planned) < bytes(best) ? planned : best;
            }
        }
        return best;
    }

    private Optional<Planned> ifReadable(Request request, ReadRequest read, String group) throws IOException {
        try {
            return Optional.of(one(request, read, group));
        } catch (RemoteException | IllegalArgumentException e) {
            LOG.debug(
                    "group {} of {} is no choice",
                    group,
                    request.table.dataset().path(),
                    e);
            return Optional.empty();
        }
    }

    private static long bytes(Planned planned) {
        return planned.files().stream().mapToLong(PlannedFile::length).sum();
    }

    /** The files that appends have added: those of the later state without those of the earlier one, in one group. */
    private Planned added(Request request, SnapshotRange range, @Nullable String group) throws IOException {
        Planned to = cheapest(request, request.scan.requestAsOf(range.to()), group);
        Planned after = one(
                request, request.scan.requestAsOf(range.after()), to.groups().get(0));
        Set<PlannedFile> before = new HashSet<>(after.files());
        List<PlannedFile> added =
                to.files().stream().filter(file -> !before.contains(file)).toList();
        if (added.size() + before.size() != to.files().size()) {
            throw new RetriableException(
                    "some records of " + request.table.dataset().path() + " between change " + range.after() + " and "
                            + range.to() + " are read from other files now; plan the scan again");
        }
        return new Planned(
                added,
                to.groups(),
                to.reason(),
                to.candidates(),
                state(request, to.groups().get(0), added));
    }

    private Planned one(Request request, ReadRequest read, @Nullable String group) throws IOException {
        DatasetTable table = request.table;
        String path = table.dataset().path();
        ReadPlan plan = ask(request.client, path, read, group);
        List<PlannedFile> files = new ArrayList<>();
        if (plan.stock()) {
            files.addAll(directories.below(
                    request.fs, path, spec(table, plan.groups().defaultName())));
        } else {
            files.addAll(committed(plan, table));
            files.addAll(directories.of(
                    request.fs, plan.untracked(), spec(table, plan.groups().defaultName())));
        }
        files.sort(Comparator.comparing(PlannedFile::path));
        List<PlannedFile> pruned = request.scan.pruning().of(files);
        return new Planned(
                pruned,
                plan.stock()
                        ? List.of(plan.groups().defaultName())
                        : plan.parts().stream().map(ReadPlan.Part::group).toList(),
                plan.reason(),
                plan.candidates(),
                state(request, plan.group(), pruned));
    }

    /**
     * All committed files of a group, in the order of their paths. Where the group has lost some, those of other groups take their places.
     *
     * @param asOf the number of the change whose state is read; null for the present state
     * @throws IOException if the caller may not read the dataset, among others
     * @throws IllegalArgumentException if the files of this state are not known
     */
    public static List<PlannedFile> committed(MpsrClient client, DatasetTable table, @Nullable Long asOf, String group)
            throws IOException {
        ReadRequest all = new ReadRequest(Filter.ALL, null).inParts();
        String path = table.dataset().path();
        ReadPlan plan = ask(client, path, asOf == null ? all : all.asOf(new AsOf.Sequence(asOf)), group);
        if (plan.stock()) {
            throw new IllegalArgumentException(
                    "the files of this state of " + path + " are not known: " + plan.reason());
        }
        List<PlannedFile> files = committed(plan, table);
        files.sort(Comparator.comparing(PlannedFile::path));
        return files;
    }

    private static List<PlannedFile> committed(ReadPlan plan, DatasetTable table) throws IOException {
        List<PlannedFile> files = new ArrayList<>();
        for (ReadPlan.Part part : plan.parts()) {
            GroupSpec spec = spec(table, part.group());
            part.files().forEach(file -> files.add(new PlannedFile(spec, file.path(), file.length(), file.rows())));
        }
        return files;
    }

    private static ReadPlan ask(MpsrClient client, String path, ReadRequest read, @Nullable String group)
            throws IOException {
        try {
            return client.plan(path, read, group, List.of())
                    .orElseThrow(() -> new IOException(path + " is no dataset any more"));
        } catch (RemoteException e) {
            if (read.asOf() != null && IOException.class.getName().equals(e.getClassName())) {
                throw new IllegalArgumentException(MpsrClient.answer(e), e);
            }
            throw e;
        }
    }

    private static GroupSpec spec(DatasetTable table, String group) throws IOException {
        return table.spec(group)
                .orElseThrow(() -> new RetriableException("the groups of "
                        + table.dataset().path() + " have changed while a scan was planned; plan it again"));
    }

    private static ListedState state(Request request, String group, List<PlannedFile> files) {
        return new ListedState(request.table.dataset().changes().sequence(), group, fingerprint(files));
    }

    private static long fingerprint(List<PlannedFile> files) {
        Fingerprint fingerprint = new Fingerprint();
        files.forEach(file -> fingerprint.add(file.path(), file.length(), file.rows()));
        return fingerprint.take();
    }
}
