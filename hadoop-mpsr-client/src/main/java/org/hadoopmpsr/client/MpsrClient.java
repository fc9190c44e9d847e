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
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.proto.MpsrProtos.CreateDatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DropDatasetResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ForgetNodesRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.client.wire.ReadRequestWire;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The calls to MPSR in the NameNode. Paths are absolute, without scheme. Safe for use by several threads.
 *
 * <p>A call throws the exception that the NameNode threw where that says what is wrong: {@code AccessControlException} where
 * a permission is missing, {@code FileNotFoundException} where there is no dataset,
 * {@code RetriableException} where the NameNode cannot answer now. Any other error that the NameNode reports is a
 * {@link RemoteException}; {@link #isWithoutMpsr} is true for the one of a NameNode that runs without MPSR. {@link #isAnswer}
 * tells all these from errors on the way, after which nobody knows whether the call had an effect.
 */
public final class MpsrClient implements Closeable {
    private final MpsrProtocol protocol;
    private final CommitCalls commits;
    private final Plans plans;

    MpsrClient(MpsrProtocol protocol, List<MpsrProtocol> standbys, Timer clock) {
        this.protocol = protocol;
        this.commits = new CommitCalls(protocol);
        this.plans = new Plans(protocol, standbys, clock);
    }

    /**
     * Makes a client of the NameNode, or the nameservice, of a file system.
     *
     * @param fs its URI; its path does not matter
     */
    public static MpsrClient create(Configuration conf, URI fs) throws IOException {
        return new MpsrClient(MpsrProxies.create(conf, fs), MpsrProxies.standbys(conf, fs), new Timer());
    }

    /**
     * True when a call failed because its server does not know MPSR: a stock NameNode, or a router of a federation, which
     * does not pass the call on.
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

    /** True when a call failed with an error that the NameNode reports; false when no answer came. */
    public static boolean isAnswer(Throwable failure) {
        return ServerErrors.isAnswer(failure);
    }

    /** What a failure says, without the stack trace of the NameNode. */
    public static String answer(Throwable failure) {
        return failure instanceof RemoteException remote
                ? ServerErrors.text(remote)
                : String.valueOf(failure.getMessage());
    }

    /** The state of MPSR, its groups and nodes; warnings about datasets only where the caller may read them. */
    public StatusResponseProto status() throws IOException {
        return protocol.status(StatusRequestProto.getDefaultInstance());
    }

    /**
     * The same, for a process that moves blocks between DataNodes and keeps them in their groups. The NameNode tells
     * other processes that move blocks only of blocks outside datasets. For superusers.
     */
    public StatusResponseProto statusForMover() throws IOException {
        return protocol.status(StatusRequestProto.newBuilder().setMover(true).build());
    }

    /** Creates a dataset; the directory must be missing or empty. For superusers. */
    public Dataset createDataset(String path, Schema schema) throws IOException {
        return Dataset.of(protocol.createDataset(CreateDatasetRequestProto.newBuilder()
                .setPath(path)
                .setSchema(schema.ddl())
                .build()));
    }

    /** The datasets that the caller may read. */
    public List<Dataset> listDatasets() throws IOException {
        return protocol.listDatasets(ListDatasetsRequestProto.getDefaultInstance()).getDatasetList().stream()
                .map(Dataset::of)
                .toList();
    }

    /** The dataset at a path. Throws {@code FileNotFoundException} where there is none. Needs read permission. */
    public Dataset getDataset(String path) throws IOException {
        return Dataset.of(protocol.getDataset(
                DatasetRequestProto.newBuilder().setPath(path).build()));
    }

    /**
     * Makes a dataset an ordinary directory again: the default representation stays with the cluster's replication,
     * the others are deleted after the delay that the NameNode is configured with. For superusers.
     *
     * @param now to delete them as soon as the files that stay have all their copies, also from under those who read them
     */
    public DropDatasetResponseProto dropDataset(String path, boolean now) throws IOException {
        return protocol.dropDataset(
                DatasetRequestProto.newBuilder().setPath(path).setNow(now).build());
    }

    /**
     * Makes the directory in which the caller stages a commit's files, with a directory per group below it. What was
     * staged under this id before is deleted. Needs write permission on the dataset.
     *
     * @param datasetId the dataset that the caller knows at the path; another one there refuses the commit
     * @param commitId see {@link org.hadoopmpsr.core.commit.CommitId}
     */
    public BegunCommit beginCommit(String path, String datasetId, String commitId) throws IOException {
        return commits.begin(path, datasetId, commitId);
    }

    /**
     * Publishes a commit in all groups or in none. All staged files must be closed; each group's files together must
     * hold equal content. After an exception the outcome is unknown: publish the same commit again to learn it.
     *
     * @param datasetId as for {@link #beginCommit}
     */
    public PublishResult publish(
            String path, String datasetId, String commitId, List<CommitSource> sources, List<StagedFile> files)
            throws IOException {
        return commits.publish(path, datasetId, commitId, sources, files);
    }

    /** Deletes what is staged of a commit that was not published; no effect when another dataset is at the path. */
    public void abortCommit(String path, String datasetId, String commitId) throws IOException {
        commits.abort(path, datasetId, commitId);
    }

    /**
     * Plans a read of all columns, all pages of it. Needs read permission on the dataset. Where clients are set up to read from
     * observers ({@code ObserverReadProxyProvider}), a NameNode that is not active answers if it knows all that the
     * active one did before the call. A plan that is kept from before and still holds is not sent again.
     *
     * @param group the group to read whatever it costs, or null for the cheapest
     * @return empty when the path is not a dataset
     */
    public Optional<ReadPlan> plan(String path, Filter filter, @Nullable String group) throws IOException {
        return plan(path, ReadRequest.ofAllColumns(filter), group, List.of());
    }

    /**
     * The same for a read of some columns, with what is known of columns in each file. An older NameNode takes all columns for
     * read, and says nothing of any.
     *
     * @param statisticsColumns the names of the columns of which is to be said what is known
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
     * Shows the moves of nodes that would make the groups even and their racks disjoint; makes them, one after the
     * other; or leaves in their groups the nodes that have not moved yet. For superusers.
     *
     * @param transfers blocks that may be copied at a time, at least 1
     * @return the moves, or while they are being made how far they are; to make moves has no further effect then
     */
    public RebalanceResponseProto rebalance(RebalanceRequestProto.Action action, int transfers) throws IOException {
        return rebalance(action, transfers, 0);
    }

    /**
     * The same, with a limit.
     *
     * @param bandwidth bytes that may be copied in a second; 0 for any number
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
     * Removes the records of DataNodes that will not come back. None may be alive. Repeating the call succeeds without
     * effect. For superusers.
     *
     * @return the nodes that had a record, with the groups that they had
     */
    public List<NodeProto> forgetNodes(List<String> uuids) throws IOException {
        return protocol.forgetNodes(
                        ForgetNodesRequestProto.newBuilder().addAllUuid(uuids).build())
                .getNodeList();
    }

    @Override
    public void close() {
        plans.close();
        RPC.stopProxy(protocol);
    }
}
