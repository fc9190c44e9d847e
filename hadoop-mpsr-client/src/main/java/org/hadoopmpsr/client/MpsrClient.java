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
package org.hadoopmpsr.client;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.history.History;
import org.hadoopmpsr.client.history.PlannedRollback;
import org.hadoopmpsr.client.proto.MpsrProtos.CreateDatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DropDatasetResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ForgetNodesRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetHistoryRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetHistoryResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetRollbackRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetWorkloadRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PurgeReplacedRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PurgeReplacedResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ResetOffsetsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetHistoryRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.client.wire.MaintenanceWire;
import org.hadoopmpsr.client.wire.ReadRequestWire;
import org.hadoopmpsr.client.wire.WantedGroupWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.client.workload.WorkloadReport;
import org.hadoopmpsr.core.adopt.UntrackedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Duplicates;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.RemovedContent;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.maintain.LeaseAnswer;
import org.hadoopmpsr.core.maintain.LeaseRequest;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.core.rebuild.Damages;
import org.hadoopmpsr.core.rebuild.RebuildScope;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/**
 * The calls to MPSR in the NameNode. Paths are absolute, without scheme. Safe for use by several threads.
 *
 * <p>If the NameNode reports an error, the call throws {@code AccessControlException} for a missing permission,
 * {@code FileNotFoundException} for a missing dataset, {@code RetriableException} if the NameNode cannot answer now, and
 * {@link RemoteException} for any other error. {@link #isWithoutMpsr} recognizes the error of a NameNode without MPSR.
 * {@link #isAnswer} tells errors that the NameNode reports from errors of the connection. After the latter it is unknown
 * whether the call had an effect.
 */
public final class MpsrClient implements Closeable {
    private final MpsrProtocol protocol;
    private final CommitCalls commits;
    private final Plans plans;

    MpsrClient(MpsrProtocol protocol, List<MpsrProtocol> standbys, Timer clock, PlanCache cache) {
        this.protocol = protocol;
        this.commits = new CommitCalls(protocol);
        this.plans = new Plans(protocol, standbys, clock, cache);
    }

    /**
     * Makes a client of the NameNode, or the nameservice, of a file system.
     *
     * @param fs the URI of the file system; the path in it is ignored
     */
    public static MpsrClient create(Configuration conf, URI fs) throws IOException {
        return create(conf, fs, new PlanCache(Plans.KEPT_FILES));
    }

    /**
     * Makes a client of the NameNode, or the nameservice, of a file system, whose plans are kept with those of other clients.
     *
     * @param fs the URI of the file system; the path in it is ignored
     * @param plans bounds the memory of all clients that have it
     */
    public static MpsrClient create(Configuration conf, URI fs, PlanCache plans) throws IOException {
        return new MpsrClient(MpsrProxies.create(conf, fs), MpsrProxies.standbys(conf, fs), new Timer(), plans);
    }

    /**
     * True if a call failed because the server does not know MPSR. The server is a stock NameNode, or a router of a
     * federation, which does not forward the call.
     */
    public static boolean isWithoutMpsr(Throwable failure) {
        if (!(failure instanceof RemoteException remote) || remote.getClassName() == null) {
            return false;
        }
        String message = String.valueOf(remote.getMessage());
        return remote.getClassName().equals(RpcNoSuchProtocolException.class.getName())
                // under service-level authorization: without our jar, and with it but without the plugin
                || (remote.getClassName().equals(AuthorizationException.class.getName())
                        && (message.contains("Unknown protocol") || message.contains("is not known")));
    }

    /** True if a call failed with an error that the NameNode reports; false if no answer came. */
    public static boolean isAnswer(Throwable failure) {
        return ServerErrors.isAnswer(failure);
    }

    /** The message of a failure, without the stack trace of the NameNode. */
    public static String answer(Throwable failure) {
        return failure instanceof RemoteException remote
                ? ServerErrors.text(remote)
                : String.valueOf(failure.getMessage());
    }

    /** The state of MPSR, of the groups and of the nodes. Warnings about a dataset need read permission on the dataset. */
    public StatusResponseProto status() throws IOException {
        return protocol.status(StatusRequestProto.getDefaultInstance());
    }

    /**
     * The replica groups that new datasets get.
     *
     * @throws IOException also if the NameNode has none
     */
    public ReplicaGroups configuredGroups() throws IOException {
        StatusResponseProto status = status();
        if (!status.hasDefaultGroup()) {
            throw new IOException(
                    "the NameNode has no replica groups; name them in hdfs-site.xml, see docs/configuration.md");
        }
        return new ReplicaGroups(
                status.getGroupList().stream()
                        .map(group -> Wire.group(group.getGroup()))
                        .toList(),
                status.getDefaultGroup());
    }

    /**
     * The state of MPSR, for a process that moves blocks between DataNodes and keeps each block in the group's nodes. From
     * then on the NameNode lists all blocks for this process; other processes see only blocks outside datasets. For
     * superusers.
     */
    public StatusResponseProto statusForMover() throws IOException {
        return protocol.status(StatusRequestProto.newBuilder().setMover(true).build());
    }

    /** Creates a dataset that keeps all its records. The directory must be missing or empty. For superusers. */
    public Dataset createDataset(String path, Schema schema) throws IOException {
        return createDataset(path, schema, List.of());
    }

    /**
     * Creates a dataset. The directory must be missing or empty. For superusers.
     *
     * @param keys the key columns: of records with equal ones, a rewrite keeps one, of the last segment; none if all
     *     records are kept
     * @throws IOException also if the columns cannot be keys, see {@link org.hadoopmpsr.core.group.KeyColumns}
     */
    public Dataset createDataset(String path, Schema schema, List<String> keys) throws IOException {
        Dataset made = create(path, schema, keys, false, List.of());
        if (made.keys().isEmpty() && !keys.isEmpty()) {
            throw new IOException(
                    "the dataset " + path + " has no key columns, and keeps all records: the NameNode runs an"
                            + " older version of MPSR; drop the dataset, upgrade MPSR in the NameNode, and create it again");
        }
        return made;
    }

    /**
     * Turns a directory with files into a dataset that keeps all its records. The files stay as they are, and count as those of ordinary
     * writers until they are adopted. A dataset that is there with this schema is returned as it is. For superusers.
     */
    public Dataset createDatasetAround(String path, Schema schema) throws IOException {
        return createDatasetAround(path, schema, List.of());
    }

    /**
     * Turns a directory with files into a dataset, as {@link #createDatasetAround(String, Schema)}.
     *
     * @param groups those that are not to be as configured, also the default group
     */
    public Dataset createDatasetAround(String path, Schema schema, List<WantedGroup> groups) throws IOException {
        Dataset made = create(path, schema, List.of(), true, groups);
        for (WantedGroup wanted : groups) {
            ReplicaGroup found = made.groups().meant(wanted.group()).orElse(null);
            if (found == null || !found.predicates().equals(wanted.predicates())) {
                throw new IOException("the dataset " + path + " has another group '" + wanted.group()
                        + "' than the one that is wanted: it was a dataset before, or the NameNode runs an older version of"
                        + " MPSR; alter the group with 'hdfs mpsr dataset alter', or drop the dataset");
            }
        }
        return made;
    }

    private Dataset create(String path, Schema schema, List<String> keys, boolean adopt, List<WantedGroup> groups)
            throws IOException {
        return Dataset.of(protocol.createDataset(CreateDatasetRequestProto.newBuilder()
                .setPath(path)
                .setSchema(schema.ddl())
                .addAllKey(keys)
                .setAdopt(adopt)
                .addAllGroup(groups.stream().map(WantedGroupWire::proto).toList())
                .build()));
    }

    /** The datasets that the caller may read. */
    public List<Dataset> listDatasets() throws IOException {
        List<Dataset> datasets = new ArrayList<>();
        ListDatasetsRequestProto.Builder request =
                ListDatasetsRequestProto.newBuilder().setPaged(true);
        while (true) {
            ListDatasetsResponseProto page = protocol.listDatasets(request.build());
            page.getDatasetList().forEach(dataset -> datasets.add(Dataset.of(dataset)));
            if (!page.hasNext()) {
                return datasets;
            }
            request.setAfter(page.getNext());
        }
    }

    /** The dataset at a path. Throws {@code FileNotFoundException} if there is none. Needs read permission. */
    public Dataset getDataset(String path) throws IOException {
        return Dataset.of(protocol.getDataset(
                DatasetRequestProto.newBuilder().setPath(path).build()));
    }

    /**
     * Makes a dataset an ordinary directory again. The default representation stays, with the cluster's replication. The
     * other representations are deleted after the configured delay ({@code dfs.mpsr.drop.delay.seconds}). For superusers.
     *
     * @param now true to delete the other representations as soon as the files that stay have all their copies; queries
     *     that read a deleted file fail
     */
    public DropDatasetResponseProto dropDataset(String path, boolean now) throws IOException {
        return protocol.dropDataset(
                DatasetRequestProto.newBuilder().setPath(path).setNow(now).build());
    }

    /**
     * Makes the directory in which the caller stages a commit's files, with a directory for each group below it. Deletes
     * all files that were staged under this id before. Needs write permission on the dataset.
     *
     * @param datasetId the id of the dataset that the caller knows at the path; the commit is refused if another dataset
     *     is there
     * @param commitId see {@link org.hadoopmpsr.core.commit.CommitId}
     */
    public BegunCommit beginCommit(String path, String datasetId, String commitId) throws IOException {
        return commits.begin(path, datasetId, commitId, null, null);
    }

    /**
     * The same for a writer that has to know all columns of the dataset, because records come to it with more fields.
     *
     * @param known the columns that the writer knows; where the dataset has other ones, the commit is refused with {@code
     *     GROUPS_CHANGED}
     */
    public BegunCommit beginCommit(String path, String datasetId, String commitId, DatasetColumns known)
            throws IOException {
        return commits.begin(path, datasetId, commitId, known, null);
    }

    /**
     * The same for a rebuild, of which operators are told while it is open.
     *
     * @param rebuild what it rebuilds
     */
    public BegunCommit beginRebuild(String path, String datasetId, String changeId, RebuildScope rebuild)
            throws IOException {
        return commits.begin(path, datasetId, changeId, null, rebuild);
    }

    /**
     * Publishes a commit in all groups or in none. All staged files must be closed. The files of each group together must
     * hold the same records. After an exception the outcome is unknown; publish the same commit again to learn the outcome.
     *
     * @param datasetId as for {@link #beginCommit}
     */
    public PublishResult publish(
            String path, String datasetId, String commitId, List<CommitSource> sources, List<StagedFile> files)
            throws IOException {
        return commits.publish(path, datasetId, commitId, sources, files);
    }

    /**
     * Publishes files that take the place of segments, in all groups or in none. The files are staged as those of a commit,
     * and make one segment with the change's id. In each directory of a group they must hold the records of the removed
     * segments' files there, but for duplicates: of records with equal key columns of the dataset, one is enough. All
     * removed segments must be current and replaceable; the outcome is {@code FENCED} if another change has replaced one,
     * and a refusal {@code NOT_REPLACEABLE} if one was changed by hand. After an exception the outcome is unknown; publish
     * the same change again to learn the outcome. For the owner of the dataset directory, and superusers.
     *
     * @param datasetId as for {@link #beginCommit}
     * @param changeId the id that was begun
     * @param removes the ids of the segments whose records the new files hold
     * @param removedContent the records of the removed segments by group, as the caller has read them from their files
     * @param duplicates the records that are left out because another one has the same key, in any order; the same ones in
     *     every group
     */
    public PublishResult rewrite(
            String path,
            String datasetId,
            String changeId,
            List<String> removes,
            Map<String, RemovedContent> removedContent,
            List<Duplicates> duplicates,
            List<StagedFile> files)
            throws IOException {
        return commits.rewrite(path, datasetId, changeId, removes, removedContent, duplicates, files);
    }

    /**
     * The current segments of a dataset, with what each group holds of them. Takes several calls if there are many. Needs the
     * right to read all of the dataset.
     */
    public Segments segments(String path) throws IOException {
        return commits.segments(path);
    }

    /**
     * The files of current segments in one group, in the order of the segments, with the statistics of the columns by which
     * the group sorts. An older NameNode tells no inode ids; they are 0 then. Takes several calls if there are many. Throws {@code FileNotFoundException}
     * if a segment is not current. Needs the right to read all of the dataset.
     */
    public List<DataFile> segmentFiles(String path, String group, List<String> ids) throws IOException {
        return commits.files(path, group, ids, false, false);
    }

    /** As {@link #segmentFiles}, with the statistics of all columns; an older NameNode tells fewer. */
    public List<DataFile> segmentFilesWithColumns(String path, String group, List<String> ids) throws IOException {
        return commits.files(path, group, ids, true, false);
    }

    /**
     * What is damaged in a dataset: the files that cannot be read or are not what was published, by segment and group, the
     * most endangered first (see {@link Damage#ORDER}). Takes several calls if there is much of it. Needs the right to read all
     * of the dataset.
     *
     * @param maxFiles the answer ends after about so many files; at least 1
     */
    public Damages damage(String path, int maxFiles) throws IOException {
        return commits.damage(path, maxFiles, false);
    }

    /**
     * The same, and besides the files of the default group that nobody published and that have the names of segments' files:
     * somebody has written them over published ones.
     */
    public Damages damageAndForeignFiles(String path, int maxFiles) throws IOException {
        return commits.damage(path, maxFiles, true);
    }

    /**
     * Publishes files of segments in one group anew, all or none, in the place of damaged ones. The files are staged as those of
     * a commit, in the directory of this group alone. A file's name starts with the id of its segment, a hyphen, the change's id
     * and a hyphen; its statistics name the segment, and its records are hashed as the segment's are. Afterwards the group must
     * hold exactly the segments' records.
     *
     * <p>The outcome is {@code FENCED} if another change came first: a file that it replaces is not there any more, or a
     * segment is not current. A refusal {@code NOT_REPLACEABLE} says that the group's files are not those that the caller
     * knew, or that nobody can tell what the segment holds. In both cases ask for the damage again. After an exception the
     * outcome is unknown; publish the same change again to learn the outcome. For the owner of the dataset directory, and
     * superusers.
     *
     * @param datasetId as for {@link #beginCommit}
     * @param changeId the id that was begun; it starts with {@link Rebuild#ID_PREFIX}
     */
    public PublishResult rebuild(
            String path, String datasetId, String changeId, Rebuild rebuild, List<StagedFile> files)
            throws IOException {
        return commits.rebuild(path, datasetId, changeId, rebuild, files);
    }

    /**
     * Takes what somebody has made of segments by hand in one group for their records: publishes files with these records in
     * every group, all or none, as one segment with the change's id. The files are staged as those of a commit; there may be none if
     * no record is left. The files that the groups had of the segments are replaced.
     *
     * <p>The outcome is {@code FENCED} if another change came first. A refusal {@code NOT_REPLACEABLE} says that the group's files are not
     * those that the caller has read, or that nobody can tell what the segments held before. After an exception the outcome is
     * unknown; publish the same change again to learn the outcome. For the owner of the dataset directory, and superusers.
     *
     * @param datasetId as for {@link #beginCommit}
     * @param accepted the group, the segments, and the inode ids of all files that the group has of them; besides of files in
     *     any group that nobody published and that have the name of a segment's file
     * @param states in which these files were read, as {@link #damageAndForeignFiles} tells them; 0 for files as they were
     *     published
     */
    public PublishResult accept(
            String path, String datasetId, String changeId, Rebuild accepted, List<Long> states, List<StagedFile> files)
            throws IOException {
        return commits.accept(path, datasetId, changeId, accepted, states, files);
    }

    /**
     * Takes records away in all groups, or in none. The segments that have such records are replaced: each of which records stay
     * by one with these records, whose id is the change's id, a dot, and the place of the removed segment in {@code removes}, from 0. The
     * files are staged as those of a commit, and each one's name starts with the id of its segment and a hyphen; there may be none.
     *
     * <p>The outcome is {@code FENCED} if another change has replaced one of the segments, and a refusal {@code NOT_REPLACEABLE} if one
     * was changed by hand. A refusal {@code INVALID} says that what stays and what goes are not together what the segments held, or
     * that the groups would not lose the same records. After an exception the outcome is unknown; publish the same change again to learn
     * the outcome. For the owner of the dataset directory, and superusers.
     *
     * @param datasetId as for {@link #beginCommit}
     * @param changeId the id that was begun; it starts with {@code delete-}
     * @param removes the ids of the segments; each one loses a record
     * @param deleted the records that go, by group, directory and kind of hash, as the caller has read them
     * @param condition which records go, for the audit log
     */
    public PublishResult delete(
            String path,
            String datasetId,
            String changeId,
            List<String> removes,
            List<Duplicates> deleted,
            String condition,
            List<StagedFile> files)
            throws IOException {
        return commits.delete(path, datasetId, changeId, removes, deleted, condition, files);
    }

    /**
     * What a rollback to an earlier state would change. Nothing is changed. Needs the right to read all of the dataset.
     *
     * @param to the state, as {@link AsOf#parse} reads it
     * @throws IOException if the state is not known, or not kept
     */
    public PlannedRollback planRollback(String path, String to) throws IOException {
        return PlannedRollback.of(protocol.getRollback(
                GetRollbackRequestProto.newBuilder().setPath(path).setTo(to).build()));
    }

    /**
     * The files that a group had of removed segments and that are still kept, by the paths that they had, under which they can be read. With the
     * statistics of all columns. Needs the right to read all of the dataset.
     *
     * @throws java.io.FileNotFoundException if a segment is current, or not known any more
     */
    public List<DataFile> removedSegmentFiles(String path, String group, List<String> ids) throws IOException {
        return commits.files(path, group, ids, true, true);
    }

    /**
     * Brings an earlier state back in all groups, or in none. The segments that {@code plan} removes go. Each one that it restores comes back
     * as a segment with the same records, whose id is the change's id, a dot, and the place in {@code plan.restores()}, from 0. The
     * files are staged as those of a commit, and each one's name starts with the id of its segment and a hyphen; there may be none.
     *
     * <p>The outcome is {@code FENCED} if another change has replaced one of the removed segments, or if another rollback came first, and
     * a refusal {@code NOT_REPLACEABLE} if one was changed by hand, or if files of a restored segment are not kept any more. A refusal
     * {@code INVALID} says that the files do not have all records of the restored segments. After an exception the outcome is unknown;
     * publish the same change again to learn the outcome. For the owner of the dataset directory, and superusers.
     *
     * @param datasetId as for {@link #beginCommit}
     * @param changeId the id that was begun; it starts with {@code rollback-}
     * @param plan as {@link #planRollback} has told it
     * @param to which state comes back, for the audit log
     */
    public PublishResult rollback(
            String path, String datasetId, String changeId, PlannedRollback plan, String to, List<StagedFile> files)
            throws IOException {
        return commits.rollback(path, datasetId, changeId, plan, to, files);
    }

    /**
     * Publishes an overwrite, after {@link #beginCommit}: in all groups, the removed segments go, and the files make a segment with the id
     * of the change in their place. The files are staged as those of a commit; there is at least one. Committed offsets stay.
     *
     * <p>The outcome is {@code FENCED} if another change has replaced one of the removed segments, and a refusal {@code NOT_REPLACEABLE} if
     * one was changed by hand. After an exception the outcome is unknown; publish the same change again to learn the outcome. For the owner
     * of the dataset directory, and superusers.
     *
     * @param datasetId as for {@link #beginCommit}
     * @param changeId the id that was begun; it starts with {@code overwrite-}
     * @param removes the ids of the segments that go; at least one
     */
    public PublishResult overwrite(
            String path, String datasetId, String changeId, List<String> removes, List<StagedFile> files)
            throws IOException {
        return commits.overwrite(path, datasetId, changeId, removes, files);
    }

    /**
     * The history of a dataset. Takes several calls if it is long. Needs the right to read all of the dataset.
     *
     * @param most the answer ends after about so many changes; at least 1
     */
    public History history(String path, int most) throws IOException {
        List<GetHistoryResponseProto> pages = new ArrayList<>();
        GetHistoryRequestProto.Builder request =
                GetHistoryRequestProto.newBuilder().setPath(path);
        int changes = 0;
        GetHistoryResponseProto page;
        do {
            page = protocol.getHistory(request.build());
            pages.add(page);
            changes += page.getChangeCount();
            if (page.getChangeCount() > 0) {
                request.setBefore(page.getChange(page.getChangeCount() - 1).getSequence());
            }
        } while (page.getMore() && page.getChangeCount() > 0 && changes < most);
        return History.of(pages);
    }

    /**
     * What was asked of datasets since the active NameNode started. For users who may read all of a dataset.
     *
     * @param path the dataset; null for all of which the user may be told
     */
    public WorkloadReport workload(@Nullable String path) throws IOException {
        GetWorkloadRequestProto.Builder request = GetWorkloadRequestProto.newBuilder();
        return WorkloadReport.of(protocol.getWorkload(
                path == null ? request.build() : request.setPath(path).build()));
    }

    /**
     * Gives a state of a dataset a name. What the state has is kept until the tag is deleted, or the replaced files of the dataset are
     * purged. For the owner of the dataset directory, and superusers.
     *
     * @param datasetId as for {@link #beginCommit}
     * @param asOf which state, as {@link AsOf#parse} reads it; null for the present one
     * @return the number of the change after which the dataset is so
     */
    public long tag(String path, @Nullable String datasetId, String name, @Nullable String asOf) throws IOException {
        SetHistoryRequestProto.Builder request = setHistory(path, datasetId).setTag(name);
        if (asOf != null) {
            request.setAsOf(asOf);
        }
        return protocol.setHistory(request.build()).getSequence();
    }

    /** Deletes a tag; no effect if there is none. For the owner of the dataset directory, and superusers. */
    public void deleteTag(String path, @Nullable String datasetId, String name) throws IOException {
        protocol.setHistory(setHistory(path, datasetId).setDeleteTag(name).build());
    }

    /**
     * Says for how long replaced files of a dataset are kept. For the owner of the dataset directory, and superusers.
     *
     * @param seconds negative for as long as the NameNode's configuration says
     */
    public void keepHistory(String path, @Nullable String datasetId, long seconds) throws IOException {
        SetHistoryRequestProto.Builder request = setHistory(path, datasetId);
        protocol.setHistory(
                (seconds < 0 ? request.setKeptAsConfigured(true) : request.setKeptSeconds(seconds)).build());
    }

    /** Alters the groups of datasets. */
    public DatasetAlterations alterations() {
        return new DatasetAlterations(protocol);
    }

    private static SetHistoryRequestProto.Builder setHistory(String path, @Nullable String datasetId) {
        SetHistoryRequestProto.Builder request =
                SetHistoryRequestProto.newBuilder().setPath(path);
        return datasetId == null ? request : request.setDatasetId(datasetId);
    }

    /**
     * Deletes the files that changes of a dataset have replaced. Without this they are kept for a while, for readers that planned or listed
     * before; these fail then. States that need these files cannot be read afterwards, and their tags are deleted. For the owner of the
     * dataset directory, and superusers.
     *
     * @param datasetId as for {@link #beginCommit}
     */
    public Dataset.Purged purgeReplaced(String path, @Nullable String datasetId) throws IOException {
        PurgeReplacedRequestProto.Builder request =
                PurgeReplacedRequestProto.newBuilder().setPath(path);
        if (datasetId != null) {
            request.setDatasetId(datasetId);
        }
        PurgeReplacedResponseProto answer = protocol.purgeReplaced(request.build());
        return new Dataset.Purged(answer.getFiles(), answer.getBytes(), answer.getStaged());
    }

    /**
     * Takes files that ordinary writers have put into the default group for a segment with the change's id. The files stay where they
     * are. Files with the same records are staged for every other group as those of a commit; for each adopted file an empty one of
     * the same partition and name is staged in the default group.
     *
     * <p>The outcome is {@code FENCED} if an adopted file is not as the caller has read it. After an exception the outcome is unknown;
     * publish the same change again to learn the outcome. For the owner of the dataset directory, and superusers.
     *
     * @param datasetId as for {@link #beginCommit}
     * @param adopted the default group, no segment, and the inode ids of the files
     * @param states in which these files were read, as {@link #untracked} tells them, in their order
     * @param files those of all groups; of an adopted file its own length and statistics
     */
    public PublishResult adopt(
            String path, String datasetId, String changeId, Rebuild adopted, List<Long> states, List<StagedFile> files)
            throws IOException {
        return commits.adopt(path, datasetId, changeId, adopted, states, files);
    }

    /**
     * The files that ordinary writers have put into a dataset and that are not in all groups, without those that are open; not
     * necessarily all if they are more than 10,000. For who may read all of the dataset.
     */
    public List<UntrackedFile> untracked(String path) throws IOException {
        return commits.untracked(path);
    }

    /**
     * Keeps why such files cannot be adopted as they are. For the owner of the dataset directory, and superusers.
     *
     * @param reasons by file, in the state in which it was read
     */
    public void setUnfit(String path, Map<UntrackedFile, String> reasons) throws IOException {
        commits.unfit(path, reasons);
    }

    /** Deletes the staged files of an unpublished commit. Has no effect if another dataset is at the path. */
    public void abortCommit(String path, String datasetId, String commitId) throws IOException {
        commits.abort(path, datasetId, commitId);
    }

    /**
     * Plans a read of all columns. Returns the whole plan, which takes several calls if there are many files. Needs read
     * permission on the dataset. If clients read from observers ({@code ObserverReadProxyProvider}), a NameNode that is not
     * active answers, provided that it has seen every change that the active one made before the call. The client keeps
     * plans; the NameNode does not send a kept plan again while it is valid.
     *
     * @param group the group to read at any cost, or null for the cheapest group
     * @return empty if the path is not a dataset
     */
    public Optional<ReadPlan> plan(String path, Filter filter, @Nullable String group) throws IOException {
        return plan(path, ReadRequest.ofAllColumns(filter), group, List.of());
    }

    /**
     * Plans a read of some columns. An older NameNode plans as if all columns were read, and returns no statistics. If the
     * reader can read parts ({@link ReadRequest#parts}), the plan may have files of several groups.
     *
     * @param group the group to read at any cost, or null for the cheapest group
     * @param statisticsColumns the names of the columns whose statistics each planned file is to have
     * @return empty if the path is not a dataset
     */
    public Optional<ReadPlan> plan(
            String path, ReadRequest readRequest, @Nullable String group, List<String> statisticsColumns)
            throws IOException {
        PlanRequestProto.Builder request =
                ReadRequestWire.request(readRequest).setPath(path).addAllColumn(statisticsColumns);
        if (group != null) {
            request.setGroup(group);
        }
        return plans.plan(request.build());
    }

    /**
     * Shows, starts or cancels moves of nodes between groups. The moves make the groups equally large and their racks
     * disjoint. They are made one after the other. A cancel leaves nodes that have not moved yet in their groups. While moves
     * are being made, a further start has no effect. For superusers.
     *
     * @param transfers the number of blocks that may be copied at a time, at least 1
     * @return the moves; while they are being made, with their progress
     */
    public RebalanceResponseProto rebalance(RebalanceRequestProto.Action action, int transfers) throws IOException {
        return rebalance(action, transfers, 0);
    }

    /**
     * Shows, starts or cancels moves of nodes, as above, with a limit.
     *
     * @param transfers the number of blocks that may be copied at a time, at least 1
     * @param bandwidth the number of bytes that may be copied in a second; 0 for no limit
     */
    public RebalanceResponseProto rebalance(RebalanceRequestProto.Action action, int transfers, long bandwidth)
            throws IOException {
        return protocol.rebalance(RebalanceRequestProto.newBuilder()
                .setAction(action)
                .setTransfers(transfers)
                .setBandwidth(bandwidth)
                .build());
    }

    /**
     * Removes the records of DataNodes that will not come back. None of the nodes may be alive. A repeated call succeeds
     * without effect. For superusers.
     *
     * @return the nodes that had a record, with their former groups
     */
    public List<NodeProto> forgetNodes(List<String> uuids) throws IOException {
        return protocol.forgetNodes(
                        ForgetNodesRequestProto.newBuilder().addAllUuid(uuids).build())
                .getNodeList();
    }

    /**
     * Moves committed ends of topic-partitions, which also forgets the topics' ids and the offsets that were passed over. A
     * reset whose topic-partition has another committed end than it says moves none of them; one that is done already has
     * no effect. For superusers.
     *
     * @param datasetId as for {@link #beginCommit}
     * @param force to move them also while commits are open, which are then fenced
     * @return the committed offsets of these topic-partitions after the call
     */
    public List<CommittedOffset> resetOffsets(String path, String datasetId, List<OffsetReset> resets, boolean force)
            throws IOException {
        return protocol
                .resetOffsets(ResetOffsetsRequestProto.newBuilder()
                        .setPath(path)
                        .setDatasetId(datasetId)
                        .addAllReset(resets.stream().map(Wire::reset).toList())
                        .setForce(force)
                        .build())
                .getOffsetList()
                .stream()
                .map(Wire::offset)
                .toList();
    }

    /**
     * Asks for the lease with which one process at a time maintains the cluster, or for a longer one, and tells of runs of
     * maintenance tasks, which are kept if the process holds the lease. A repeated call changes nothing. For superusers.
     */
    public LeaseAnswer maintain(LeaseRequest request) throws IOException {
        return MaintenanceWire.answer(protocol.maintain(MaintenanceWire.request(request)));
    }

    @Override
    public void close() {
        plans.close();
        RPC.stopProxy(protocol);
    }
}
