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
package org.hadoopmpsr.namenode.check;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.ContentRule;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.core.stats.StatisticsRules;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.hadoopmpsr.namenode.writer.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Compares a commit with the staged files before anything is changed. Every group must have files, with equal content.
 * Every staged file must be named, closed, and in the directory of its partition. Nothing else may be staged.
 */
public final class CommitCheck {
    private final Namespace namespace;
    private final StoreLayout layout;
    private final DatasetRecord dataset;
    private final DatasetChange change;
    private final @Nullable Rebuild rebuild;
    private final Set<String> rebuilt;
    /** Those of a delete and of a rollback. */
    private final Set<String> keptSegments;

    private final String commitId;
    private final String staging;
    private final StatisticsCodec codec;
    private final StatisticsRules rules;

    public CommitCheck(Namespace namespace, StoreLayout layout, DatasetRecord dataset, DatasetChange change) {
        this.namespace = namespace;
        this.layout = layout;
        this.dataset = dataset;
        this.change = change;
        this.rebuild = change.kind() == DatasetChange.Kind.REBUILD ? change.rebuild() : null;
        this.rebuilt = rebuild == null ? Set.of() : Set.copyOf(rebuild.segments());
        this.keptSegments = IntStream.range(0, change.madeOf().size())
                .mapToObj(place -> KeptSegment.id(change.id(), place))
                .collect(Collectors.toSet());
        this.commitId = change.id();
        this.staging = layout.stagingDir(dataset.id(), commitId);
        this.codec = new StatisticsCodec(dataset.schema());
        this.rules = new StatisticsRules(dataset.schema(), dataset.groups());
    }

    /**
     * A staged file that may be published, in the state of the check.
     *
     * @param length of the staged file
     * @param bytes the length of the file that is published
     * @param inPlace true if that is not the staged file but one that lies at the target already: it is adopted
     */
    public record CheckedFile(
            String group,
            String source,
            String target,
            byte[] attribute,
            INodeFile staged,
            long length,
            long modificationTime,
            int blocks,
            long bytes,
            boolean inPlace) {

        /** True if a staged file is still in this state. Needs the lock. */
        public boolean is(INodeFile file) {
            return file.getId() == staged.getId()
                    && !file.isUnderConstruction()
                    && file.getModificationTime() == modificationTime
                    && file.computeFileSize() == length
                    && StoredStatistics.blocksOf(file) == blocks;
        }
    }

    /**
     * What the commit names. Needs no lock.
     *
     * @throws RefusedException with what is wrong
     */
    public List<NamedFile> named(List<StagedFile> files, int maxFiles) throws IOException {
        if (files.size() > maxFiles) {
            throw refused(
                    Kind.TOO_MANY_FILES,
                    files.size() + " files are more than the " + maxFiles
                            + " that dfs.mpsr.commit.max.files allows; commit more often or merge files");
        }
        Map<String, NamedFile> named = new LinkedHashMap<>();
        Map<String, ContentHash> contents = new HashMap<>();
        for (StagedFile staged : files) {
            NamedFile file = named(staged);
            if (named.put(file.source(), file) != null) {
                throw refused(staged.relativePath() + " is named twice");
            }
            if (change.makesOneSegment()) {
                addUp(contents, staged);
            }
        }
        Optional<String> missing = written()
                .filter(group -> !contents.isEmpty() && !contents.containsKey(group))
                .findFirst();
        if (missing.isPresent() && dataset.incomplete().contains(missing.get())) {
            throw refused(
                    Kind.GROUPS_CHANGED,
                    "the dataset has the group '" + missing.get()
                            + "' now; open the dataset anew, and write to all groups");
        }
        Optional<String> problem = ContentRule.equalInAll(
                written().toList(), LossyGroups.comparable(dataset.groups().lossyNames(), contents));
        if (problem.isPresent()) {
            throw refused(problem.get());
        }
        return List.copyOf(named.values());
    }

    /** The groups that get files: new records go to all, and a change that replaces segments may leave out incomplete ones. */
    private Stream<String> written() {
        boolean all = change.kind() == DatasetChange.Kind.APPEND || change.kind() == DatasetChange.Kind.OVERWRITE;
        return (all ? dataset : dataset.whole()).groups().names().stream();
    }

    private void addUp(Map<String, ContentHash> contents, StagedFile staged) throws IOException {
        try {
            contents.merge(staged.group(), staged.statistics().content(), ContentHash::plus);
        } catch (IllegalArgumentException e) {
            throw refused("the " + e.getMessage() + "; hash all records of a commit in one way");
        }
    }

    private NamedFile named(StagedFile staged) throws IOException {
        ReplicaGroup group = dataset.groups()
                .find(staged.group())
                .orElseThrow(() -> refused(
                        Kind.GROUPS_CHANGED,
                        "there is no replica group '" + staged.group() + "' in "
                                + dataset.groups().names() + "; open the dataset anew if its groups were altered"));
        checkPath(staged, group);
        return new NamedFile(
                group.name(),
                staging + "/" + group.name() + "/" + staged.relativePath(),
                dataset.root(layout, group.name()) + "/" + staged.relativePath(),
                staged.statistics(),
                staged.length());
    }

    /** Compares a named file with the staged one. Needs the lock. */
    public CheckedFile check(NamedFile named, int maxAttributeBytes) throws IOException {
        INode inode = namespace.find(named.source());
        if (inode == null || !inode.isFile()) {
            throw missing(named.source());
        }
        INodeFile file = inode.asFile();
        if (file.isUnderConstruction()) {
            throw refused("the staged file " + named.source() + " is still open; close it first");
        }
        boolean inPlace = isInPlace(named.group());
        INodeFile published = inPlace ? adopted(named, file) : file;
        if (!inPlace && namespace.find(named.target()) != null) {
            throw refused("the file " + named.target() + " exists already");
        }
        long length = published.computeFileSize();
        if (named.length() != StagedFile.UNKNOWN && named.length() != length) {
            throw refused(
                    Kind.NOT_STAGED,
                    "the staged file " + named.source() + " has " + length + " bytes, and the commit states "
                            + named.length() + ": it is not what the writer wrote; stage it anew");
        }
        Optional<String> problem = StatisticsRules.problemOfBytes(named.statistics(), length);
        if (problem.isPresent()) {
            throw refused("the statistics of " + named.source() + " state " + problem.get());
        }
        byte[] attribute = StoredStatistics.encode(codec, named.statistics(), published);
        if (attribute.length > maxAttributeBytes) {
            throw refused("the statistics of " + named.source() + " take " + attribute.length
                    + " bytes, more than the " + maxAttributeBytes + " that an extended attribute may have"
                    + " (dfs.namenode.fs-limits.max-xattr-size); keep statistics of fewer columns");
        }
        return new CheckedFile(
                named.group(),
                named.source(),
                named.target(),
                attribute,
                file,
                file.computeFileSize(),
                file.getModificationTime(),
                StoredStatistics.blocksOf(file),
                length,
                inPlace);
    }

    /** True if the files of a group lie where they are published, under the names that their writers gave them. */
    private boolean isInPlace(String group) {
        return change.kind() == DatasetChange.Kind.ADOPT && group.equals(dataset.defaultGroup());
    }

    /** The file for which an empty one is staged; the rules of the change look at its state. */
    private INodeFile adopted(NamedFile named, INodeFile staged) throws IOException {
        INode file = namespace.find(named.target());
        if (file == null || !file.isFile()) {
            throw refused(Kind.NOT_STAGED, "the file " + named.target() + " is not there any more");
        }
        if (staged.computeFileSize() > 0) {
            throw refused("the staged file " + named.source() + " stands for " + named.target()
                    + ", which is adopted where it lies, and must be empty");
        }
        return file.asFile();
    }

    public RefusedException missing(String source) {
        return refused(Kind.NOT_STAGED, "the staged file " + source + " does not exist");
    }

    /** Checks that the path matches the partition tuple; otherwise a stock reader would see other partition values. */
    private void checkPath(StagedFile staged, ReplicaGroup group) throws IOException {
        String relative = staged.relativePath();
        FileStatistics statistics = staged.statistics();
        Optional<String> problem = rules.problem(group, statistics);
        if (problem.isPresent()) {
            throw refused("the statistics of " + relative + " state " + problem.get());
        }
        String expected = PartitionPath.of(group.partitionFields(dataset.schema()), statistics.partition());
        int slash = relative.lastIndexOf('/');
        String name = relative.substring(slash + 1);
        if (slash < 0 || !relative.substring(0, slash).equals(expected)) {
            throw refused(relative + " must lie in " + expected + ", the directory of its partition");
        }
        String segment = statistics.commitId();
        boolean kept = change.makesSegmentsOfOthers();
        String start = rebuild != null ? segment + "-" + commitId + "-" : kept ? segment + "-" : commitId;
        if (!isInPlace(group.name()) && !name.startsWith(start) || !DFSUtil.isValidName("/" + relative)) {
            throw refused("the name of " + relative + " must start with "
                    + (start.equals(commitId) ? "the commit's id" : start));
        }
        boolean named = rebuild != null
                ? rebuild.group().equals(group.name()) && rebuilt.contains(segment)
                : kept ? keptSegments.contains(segment) : segment.equals(commitId);
        if (!named) {
            throw refused("the statistics of " + relative + " name commit " + segment
                    + (rebuild == null ? "" : ", which is not rebuilt in group '" + group.name() + "'"));
        }
    }

    public RefusedException refused(String cause) {
        return refused(Kind.INVALID, cause);
    }

    public RefusedException refused(Kind kind, String cause) {
        return new RefusedException(kind, "commit " + commitId + " to " + dataset.path() + " is refused: " + cause);
    }
}
