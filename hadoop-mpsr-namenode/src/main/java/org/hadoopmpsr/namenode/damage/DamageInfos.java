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
package org.hadoopmpsr.namenode.damage;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.core.rebuild.DamagedFile;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.ChangedMeanwhileException;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.rights.DatasetReaders;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/** Tells what is damaged, page by page, to users who may read all of a dataset. Thread-safe. */
public final class DamageInfos {
    private static final int MAX_FILES = 5_000;

    private final MpsrNamesystem system;
    private final Datasets datasets;
    private final DatasetReaders readers;
    private final Damaged damaged;
    private final long delayMs;
    private final long maxPageBytes;
    /** By dataset, what further pages are asked of. */
    private final Map<String, SoftReference<Told>> told = new ConcurrentHashMap<>();

    private final AtomicLong numbers;

    /** @param delaySeconds damage that is older is due */
    public DamageInfos(
            MpsrNamesystem system,
            Datasets datasets,
            DatasetReaders readers,
            Damaged damaged,
            int delaySeconds,
            long maxPageBytes) {
        this.system = system;
        this.datasets = datasets;
        this.readers = readers;
        this.damaged = damaged;
        this.delayMs = TimeUnit.SECONDS.toMillis(delaySeconds);
        this.maxPageBytes = maxPageBytes;
        this.numbers = new AtomicLong(system.clock().now() * 1_000); // differ between NameNodes
    }

    private record Entry(Damage damage, List<SegmentState.Damaged> files) {}

    private record Told(long number, DatasetIndex index, List<Entry> entries) {}

    private record Position(int entry, int file) {}

    /**
     * Some of the damage.
     *
     * @param next where the next page starts, or null for the last page
     * @param unfinished true if the next page has more files of the last entry
     */
    public record Page(
            String datasetId, List<Damage> damage, @Nullable String next, boolean unfinished) {}

    /**
     * A page of the damage, in the order of {@link Damage#ORDER}. The first page looks at the dataset, and further ones are of what
     * it found.
     *
     * @param after empty for the first page, otherwise {@link Page#next} of the page before
     * @param limit the maximum number of files; 0 for as many as one page may have
     * @param foreign for the first page: also files of the default group that nobody published
     * @throws ChangedMeanwhileException if what the first page found is not known any more
     */
    public Page page(String path, String after, int limit, boolean foreign) throws IOException {
        system.checkActive();
        DatasetRecord dataset = datasets.require("mpsrGetDamage", path, FsAction.READ_EXECUTE);
        readers.check("mpsrGetDamage", dataset);
        Told all = after.isEmpty() ? look(dataset, foreign) : known(dataset, number(after, 0));
        Position position = after.isEmpty()
                ? new Position(0, 0)
                : new Position(Math.toIntExact(number(after, 1)), Math.toIntExact(number(after, 2)));
        return page(dataset, all, position, limit <= 0 ? MAX_FILES : Math.min(limit, MAX_FILES));
    }

    private static long number(String after, int part) {
        String[] parts = after.split("/", -1);
        try {
            long number = parts.length == 3 ? Long.parseLong(parts[part]) : -1;
            if (number >= 0 && (part == 0 || number <= Integer.MAX_VALUE)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new IllegalArgumentException(
                "'" + after + "' is not the start of a page of damage; name what the page before says, or nothing");
    }

    private Told known(DatasetRecord dataset, long number) {
        SoftReference<Told> reference = told.get(dataset.id());
        Told known = reference == null ? null : reference.get();
        if (known == null || known.number() != number) {
            throw new ChangedMeanwhileException(
                    "the damage of " + dataset.path() + " was looked at anew since the first page; ask for it again");
        }
        return known;
    }

    private Told look(DatasetRecord dataset, boolean foreign) throws IOException {
        Damaged.State state = foreign ? damaged.withForeignFiles(dataset) : damaged.now(dataset);
        long now = system.clock().now();
        Set<String> incomplete = dataset.incomplete();
        List<Entry> entries = new ArrayList<>();
        for (DamageLook.Found found : state.result().damage()) {
            long since = state.since(found);
            entries.add(new Entry(
                    new Damage(
                            found.segment(),
                            found.group(),
                            found.isDefault(),
                            found.sources(),
                            since,
                            incomplete.contains(found.group()) || now - since >= delayMs && !found.isLeftToPeople(),
                            found.held(),
                            found.missing(),
                            found.deleted(),
                            List.of()),
                    found.files()));
        }
        entries.sort((a, b) -> Damage.ORDER.compare(a.damage(), b.damage()));
        Told made = new Told(numbers.incrementAndGet(), state.result().index(), entries);
        if (!entries.isEmpty()) {
            told.put(dataset.id(), new SoftReference<>(made));
        }
        told.keySet().retainAll(damaged.known());
        return made;
    }

    private Page page(DatasetRecord dataset, Told all, Position from, int most) {
        List<Damage> page = new ArrayList<>();
        int left = most;
        long bytes = 0;
        int file = from.file();
        for (int i = from.entry(); i < all.entries().size(); i++) {
            Entry entry = all.entries().get(i);
            List<DamagedFile> files = new ArrayList<>();
            while (file < entry.files().size() && left > 0 && bytes <= maxPageBytes) {
                DamagedFile next =
                        read(dataset, all.index(), entry, entry.files().get(file));
                files.add(next);
                bytes += FilePage.Limit.bytes(next.file());
                left--;
                file++;
            }
            if (entry.files().isEmpty()) {
                left--;
            }
            if (!files.isEmpty() || entry.files().isEmpty()) {
                page.add(entry.damage().with(files));
            }
            if (file < entry.files().size()) {
                return new Page(dataset.id(), page, all.number() + "/" + i + "/" + file, true);
            }
            file = 0;
            if ((left <= 0 || bytes > maxPageBytes) && i + 1 < all.entries().size()) {
                return new Page(dataset.id(), page, all.number() + "/" + (i + 1) + "/0", false);
            }
        }
        return new Page(dataset.id(), page, null, false);
    }

    private static DamagedFile read(
            DatasetRecord dataset, DatasetIndex index, Entry entry, SegmentState.Damaged damaged) {
        String directory = damaged.file().directory();
        INodeFile inode = damaged.file().file();
        DataFile published = StoredStatistics.read(index.codec(), directory, inode);
        DataFile file = published == null
                ? foreign(dataset, entry.damage(), directory + "/" + inode.getLocalName(), inode)
                : published.withoutColumns();
        return new DamagedFile(file, damaged.cause(), published == null, StoredStatistics.stateOf(inode));
    }

    private static DataFile foreign(DatasetRecord dataset, Damage damage, String path, INodeFile inode) {
        List<@Nullable Object> partition = dataset.groups()
                .find(damage.group())
                .flatMap(group -> PartitionPath.values(group.partitionFields(dataset.schema()), path))
                .orElse(List.of());
        return new DataFile(
                path,
                inode.getId(),
                inode.computeFileSize(),
                inode.getModificationTime(),
                new FileStatistics(damage.segment(), ContentHash.EMPTY, partition, Map.of()));
    }
}
