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
package org.hadoopmpsr.namenode.store;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.proto.MpsrProtos.CommittedContentProto;
import org.hadoopmpsr.client.proto.MpsrProtos.CommittedGroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ContentHashProto;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.format.StoredForm;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.jspecify.annotations.Nullable;

/**
 * What each group of a dataset was given by all its commits: the number of files and the content of their records. It is
 * kept, and not derived from the files that there are, so a file that was deleted is missed after a restart too.
 *
 * <p>The kept form is the extended attribute {@link Attributes#COMMITTED}, a {@code CommittedContentProto}
 * with about 45 bytes for each group. It lies on the dataset's directory in the store. A commit's directory has the sum
 * after the commit from the commit point on; completing the commit copies that value, so doing so twice changes nothing.
 * A dataset without the attribute is one of an older MPSR, or one whose superuser has removed the attribute to take what
 * there is for what there should be. Immutable.
 *
 * @param sequence the number of the last change; 0 if the dataset does not count its changes
 */
public record CommittedContent(Map<String, Group> groups, long sequence) {
    /** That of a dataset without commits. */
    public static final CommittedContent NONE = new CommittedContent(Map.of());

    /** The maximum number of records in a group, which leaves room below what a number can hold. */
    public static final long MAX_RECORDS = 1L << 62;

    /** Of one group, over all commits. */
    public record Group(long files, ContentHashes content) {
        private static final Group EMPTY = new Group(0, ContentHashes.EMPTY);

        private Group plus(Group more) {
            return new Group(files + more.files, content.plus(more.content));
        }

        private Group minus(Group part) {
            return new Group(files - part.files, content.minus(part.content));
        }
    }

    public CommittedContent {
        groups = Map.copyOf(groups);
    }

    /** Of a dataset that does not count its changes, and of a part of one. */
    public CommittedContent(Map<String, Group> groups) {
        this(groups, 0);
    }

    /** What a commit adds. */
    public static CommittedContent of(List<StagedFile> files) {
        Map<String, Group> added = new LinkedHashMap<>();
        files.forEach(file -> added.merge(
                file.group(), new Group(1, ContentHashes.of(file.statistics().content())), Group::plus));
        return new CommittedContent(added);
    }

    /**
     * What is kept on a directory. Needs the read lock.
     *
     * @return null when nothing is
     */
    public static @Nullable CommittedContent on(INode directory) throws UnreadableRecordException {
        byte[] value = Attributes.get(directory, Attributes.COMMITTED);
        return value == null ? null : decode(directory.getFullPathName(), value);
    }

    static CommittedContent decode(String path, byte[] value) throws UnreadableRecordException {
        CommittedContentProto proto = StoredRecords.committed(value, path);
        Map<String, Group> groups = new LinkedHashMap<>();
        try {
            for (CommittedGroupProto g : proto.getGroupList()) {
                ContentHashes content = Wire.contents(g.getContent(), g.getMoreContentList());
                groups.put(g.getGroup(), new Group(g.getFiles(), content));
            }
        } catch (IllegalArgumentException e) {
            throw StoredRecords.unreadable(StoredForm.COMMITTED.title(), path, String.valueOf(e.getMessage()), e);
        }
        return new CommittedContent(groups, proto.getSequence());
    }

    public byte[] encode() {
        CommittedContentProto.Builder proto = CommittedContentProto.newBuilder().setFormatVersion(version());
        new TreeMap<>(groups).forEach((name, group) -> {
            List<ContentHashProto> contents = Wire.contents(group.content());
            proto.addGroup(CommittedGroupProto.newBuilder()
                    .setGroup(name)
                    .setFiles(group.files())
                    .setContent(contents.get(0))
                    .addAllMoreContent(contents.subList(1, contents.size())));
        });
        return sequence == 0
                ? proto.build().toByteArray()
                : proto.setSequence(sequence).build().toByteArray();
    }

    /** This after the change of a number; 0 leaves it as it is. */
    public CommittedContent withSequence(long number) {
        return number == 0 ? this : new CommittedContent(groups, number);
    }

    /** Version 1 knows one kind of hash. Its readers would take hashes of another kind for hashes of that kind. */
    private int version() {
        boolean isVersion1 = groups.values().stream()
                .flatMap(group -> group.content().all().stream())
                .allMatch(hash -> hash.kind() == HashKind.SHA_256);
        return isVersion1 ? 1 : StoredForm.COMMITTED.version();
    }

    /**
     * This where some groups are to hold what another one holds, whatever their files are.
     *
     * @param names of the groups
     */
    public CommittedContent inAll(Collection<String> names, String other) {
        if (names.isEmpty()) {
            return this;
        }
        Map<String, Group> all = new LinkedHashMap<>(groups);
        names.forEach(name ->
                all.put(name, new Group(group(name).files(), group(other).content())));
        return new CommittedContent(all, sequence);
    }

    /** This without some groups. */
    public CommittedContent without(Collection<String> names) {
        Map<String, Group> rest = new LinkedHashMap<>(groups);
        rest.keySet().removeAll(names);
        return new CommittedContent(rest, sequence);
    }

    /** What was committed to a group; nothing, if it is not known. */
    public Group group(String name) {
        return groups.getOrDefault(name, Group.EMPTY);
    }

    /**
     * What a group has to hold to be read. A group that is not known has to hold all records: no files of it would pass for all of
     * them otherwise, when it was dropped or is not made yet.
     */
    public Group wanted(String name, String defaultGroup) {
        Group known = groups.get(name);
        return known != null ? known : new Group(0, group(defaultGroup).content());
    }

    /** True if a group has more records than a dataset may have. */
    public boolean isTooLarge() {
        return groups.values().stream().anyMatch(g -> g.content().count() > MAX_RECORDS);
    }

    public CommittedContent plus(CommittedContent more) {
        Map<String, Group> sum = new LinkedHashMap<>(groups);
        more.groups.forEach((name, group) -> sum.merge(name, group, Group::plus));
        return new CommittedContent(sum, sequence);
    }

    /** This without a part of it. */
    public CommittedContent minus(CommittedContent part) {
        Map<String, Group> rest = new LinkedHashMap<>(groups);
        part.groups.forEach((name, group) -> rest.put(name, group(name).minus(group)));
        return new CommittedContent(rest, sequence);
    }
}
