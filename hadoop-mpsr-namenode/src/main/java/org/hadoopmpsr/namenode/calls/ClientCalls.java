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
package org.hadoopmpsr.namenode.calls;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateFlagProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetAdditionalDatanodeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2RequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationResponseProto;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.core.text.PrintableText;
import org.hadoopmpsr.namenode.guard.PathCall;
import org.hadoopmpsr.namenode.guard.StoreGuard;
import org.hadoopmpsr.namenode.ha.Activation;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.lifecycle.RemadeDirectories;
import org.hadoopmpsr.namenode.listing.WholeListings;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Placement;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.quota.DatasetQuotas;
import org.jspecify.annotations.Nullable;

/**
 * Handles the clients' calls to HDFS. {@link ReplicationRule} decides how many copies files of a representation have. They are never
 * erasure-coded, and cannot be written while MPSR is off or not ready. The store stays as MPSR made it. Calls that concern neither
 * datasets nor the store pass unchanged.
 */
public final class ClientCalls extends DelegatingService {
    private static final Set<Class<? extends Message>> CONCERNED = Set.of(
            CreateRequestProto.class,
            AppendRequestProto.class,
            MkdirsRequestProto.class,
            RenameRequestProto.class,
            Rename2RequestProto.class,
            SetReplicationRequestProto.class,
            AddBlockRequestProto.class,
            GetAdditionalDatanodeRequestProto.class);

    private final MpsrNamesystem system;
    private final Activation activation;
    private final Readiness readiness;
    private final Placement placement;
    private final Verification verification;
    private final RenameRules renames;
    private final ReplicationRule replication;
    private final RightsOfCalls rights;
    private final StoreGuard guard;
    private final DatasetQuotas quotas;
    private final ReplacedReads replaced;
    private final WholeListings listings;
    private final SnapshotRule snapshots;
    private final RemadeDirectories remade;
    private final Counters counters;

    public ClientCalls(
            BlockingService delegate,
            MpsrNamesystem system,
            Activation activation,
            Readiness readiness,
            Placement placement,
            Verification verification,
            RenameRules renames,
            ReplicationRule replication,
            RightsOfCalls rights,
            StoreGuard guard,
            DatasetQuotas quotas,
            ReplacedReads replaced,
            WholeListings listings,
            SnapshotRule snapshots,
            RemadeDirectories remade,
            Counters counters) {
        super(delegate);
        this.system = system;
        this.activation = activation;
        this.readiness = readiness;
        this.placement = placement;
        this.verification = verification;
        this.renames = renames;
        this.replication = replication;
        this.rights = rights;
        this.guard = guard;
        this.quotas = quotas;
        this.replaced = replaced;
        this.listings = listings;
        this.snapshots = snapshots;
        this.remade = remade;
        this.counters = counters;
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        PathCall.Use use = PathCall.of(request);
        Message changed;
        try {
            if (use != null) {
                guard.check(use);
            }
            changed = CONCERNED.contains(request.getClass()) ? checked(request) : request;
            if (changed instanceof SetReplicationRequestProto set && !passes(set)) {
                return SetReplicationResponseProto.newBuilder().setResult(false).build();
            }
        } catch (IOException e) {
            throw new ServiceException(PrintableErrors.of(e));
        }
        rights.before(changed);
        Runnable afterwards = remade.before(changed);
        Message response;
        try {
            response = changed instanceof CreateSnapshotRequestProto snapshot
                    ? snapshots.between(
                            snapshot.getSnapshotRoot(), () -> super.callBlockingMethod(method, controller, changed))
                    : read(method, controller, changed);
        } catch (ServiceException e) {
            throw changed instanceof AddBlockRequestProto add ? explained(add.getSrc(), e) : e;
        }
        try {
            done(request, use);
        } catch (IOException e) {
            throw new ServiceException(e);
        }
        afterwards.run();
        rights.after(request, use);
        return response;
    }

    /** A file that is missing may have been replaced, and then lies elsewhere. */
    private Message read(MethodDescriptor method, RpcController controller, Message request) throws ServiceException {
        Message elsewhere;
        Message response = null;
        ServiceException failure = null;
        try {
            response = super.callBlockingMethod(method, controller, request);
            elsewhere = replaced.instead(request, response);
        } catch (ServiceException e) {
            failure = e;
            elsewhere = replaced.instead(request, e);
        }
        if (elsewhere != null) {
            rights.before(elsewhere);
            return super.callBlockingMethod(method, controller, elsewhere);
        }
        if (failure != null) {
            throw failure;
        }
        try {
            return listings.whole(
                    request,
                    Objects.requireNonNull(response),
                    page -> super.callBlockingMethod(method, controller, page));
        } catch (IOException e) {
            throw new ServiceException(PrintableErrors.of(e));
        }
    }

    /** HDFS does not know of groups, so it cannot say what is missing where it finds no node. */
    private ServiceException explained(String path, ServiceException e) {
        String group = placement.groupOf(path).orElse(null);
        if (group == null || placement.hasNodeInService(group) || !(e.getCause() instanceof IOException cause)) {
            return e;
        }
        return new ServiceException(new IOException(
                "cannot write " + PrintableText.of(path) + ": its replica group '" + group
                        + "' has no DataNode in service; start one of"
                        + " its nodes or put one into service, or add a node, which will join it (HDFS: "
                        + cause.getMessage() + ")",
                cause));
    }

    /** Records a completed change before the caller receives the answer. */
    private void done(Message request, PathCall.@Nullable Use use) throws IOException {
        if (request instanceof RenameRequestProto rename) {
            guard.renamed(rename.getSrc(), rename.getDst());
        } else if (request instanceof Rename2RequestProto rename) {
            guard.renamed(rename.getSrc(), rename.getDst());
        } else if (use != null) {
            if (use.changesFile()) {
                fileChanged(use.paths().get(0));
            }
            if (guard.touches(use)) {
                guard.readAgain();
            }
        }
    }

    /** Checks a call. On a NameNode that is not active nothing is checked, because HDFS refuses the call. */
    private Message checked(Message request) throws IOException {
        system.checkWritable();
        activation.ensure();
        return change(request);
    }

    private Message change(Message request) throws IOException {
        if (request instanceof CreateRequestProto create) {
            return create(create);
        } else if (request instanceof MkdirsRequestProto mkdirs) {
            quotas.checkNew(system.resolve(mkdirs.getSrc(), 0));
        } else if (request instanceof AppendRequestProto append) {
            writableGroup(system.resolve(append.getSrc(), 0));
        } else if (request instanceof RenameRequestProto rename) {
            renames.check(rename.getSrc(), rename.getDst(), true);
        } else if (request instanceof Rename2RequestProto rename) {
            renames.check(rename.getSrc(), rename.getDst(), false);
        } else if (request instanceof AddBlockRequestProto add) {
            String path = system.resolve(add.getSrc(), add.getFileId());
            writableGroup(path);
            quotas.checkBlock(path);
            return path.equals(add.getSrc())
                    ? add
                    : add.toBuilder().setSrc(path).build();
        } else if (request instanceof GetAdditionalDatanodeRequestProto more) {
            String path = system.resolve(more.getSrc(), more.getFileId());
            return path.equals(more.getSrc())
                    ? more
                    : more.toBuilder().setSrc(path).build();
        }
        return request;
    }

    private CreateRequestProto create(CreateRequestProto create) throws IOException {
        String path = system.resolve(create.getSrc(), 0);
        Optional<String> group = writableGroup(path);
        quotas.checkNew(path);
        return group.isEmpty()
                ? create
                : create.toBuilder()
                        .setReplication(replication.ofNew(path, group.get(), create.getReplication()))
                        .setCreateFlag(create.getCreateFlag() | CreateFlagProto.SHOULD_REPLICATE_VALUE)
                        .clearEcPolicyName()
                        .build();
    }

    /** The group of a path, if the path may be written now. */
    private Optional<String> writableGroup(String path) throws IOException {
        Optional<String> group = placement.groupOf(path);
        if (group.isPresent() && !readiness.isReady()) {
            counters.increment(Counter.REFUSED_WRITES);
            throw new IOException("cannot write " + path + " in a dataset: "
                    + readiness.status().message());
        }
        return group;
    }

    private boolean passes(SetReplicationRequestProto set) throws IOException {
        return replication.passes(system.resolve(set.getSrc(), 0), set.getReplication());
    }

    private void fileChanged(String path) throws IOException {
        if (placement.groupOf(system.resolve(path, 0)).isPresent()) {
            verification.fileChanged();
        }
    }
}
