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
package org.hadoopmpsr.hadooptests;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.blockmanager.PlacementViews;
import org.hadoopmpsr.client.proto.MpsrProtos.CreateDatasetRequestProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of clients, before which directories become datasets. Called by the NameNode's handlers. */
final class DatasetCalls {
    private static final Logger LOG = LoggerFactory.getLogger(DatasetCalls.class);
    private static final String SCHEMA = "name string not null";

    private final MpsrNamesystem system;
    private final BlockingService client;
    private final BlockingService mpsr;
    /** Datasets are for superusers: made by the NameNode's own user, so on a thread without a call. */
    private final ExecutorService creator = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "dataset-directories");
        thread.setDaemon(true);
        return thread;
    });

    DatasetCalls(MpsrNamesystem system, BlockingService client, BlockingService mpsr) {
        this.system = system;
        this.client = client;
        this.mpsr = mpsr;
    }

    /** @param args those of {@link BlockingService#callBlockingMethod} */
    Message call(Object[] args) throws ServiceException {
        MethodDescriptor method = (MethodDescriptor) args[0];
        RpcController controller = (RpcController) args[1];
        Message request = (Message) args[2];
        String path = "";
        if (request instanceof CreateRequestProto create) {
            path = create.getSrc();
            prepare(path, create.getCreateParent(), controller);
        } else if (request instanceof MkdirsRequestProto mkdirs) {
            path = mkdirs.getSrc();
            prepare(path, mkdirs.getCreateParent(), controller);
        } else if (request instanceof AddBlockRequestProto add) {
            path = add.getSrc();
        }
        Message response = client.callBlockingMethod(method, controller, request);
        if (request instanceof MkdirsRequestProto && path.equals(top(path))) {
            makeDataset(path);
        } else if (request instanceof CreateRequestProto && isInDataset(path)) {
            Counts.FILES.incrementAndGet();
        } else if (request instanceof AddBlockRequestProto && isInDataset(path)) {
            Counts.BLOCKS.incrementAndGet();
        }
        return response;
    }

    private boolean isInDataset(String path) {
        return PlacementViews.of(system.blocks().getDatanodeManager().getNetworkTopology())
                .flatMap(view -> view.group(path))
                .isPresent();
    }

    /** The directory below the root that the path lies in or is; empty for the root, MPSR's and HDFS's own. */
    private static String top(String path) {
        if (path.length() < 2 || path.startsWith("/.")) {
            return "";
        }
        int end = path.indexOf('/', 1);
        return end < 0 ? path : path.substring(0, end);
    }

    private void prepare(String path, boolean makeParents, RpcController controller) {
        String top = top(path);
        if (top.isEmpty()
                || path.equals(top)
                || isInDataset(path)
                || !system.ha().isWritable()
                || system.safeMode().isOn()) {
            return;
        }
        try {
            if (find(top) == null && makeParents) {
                mkdir(top, controller);
            }
            makeDataset(top);
        } catch (IOException | ServiceException e) {
            LOG.info("{} does not become a dataset: {}", top, e.toString()); // the call itself tells why
        }
    }

    /** As HDFS makes the directories above what a client asks for. */
    private void mkdir(String top, RpcController controller) throws IOException, ServiceException {
        INode root = system.directory().getRoot();
        short mode = (short) (root.getFsPermission().toShort() | 0300);
        MkdirsRequestProto request = MkdirsRequestProto.newBuilder()
                .setSrc(top)
                .setMasked(PBHelperClient.convert(FsPermission.createImmutable(mode)))
                .setCreateParent(true)
                .build();
        client.callBlockingMethod(client.getDescriptorForType().findMethodByName("mkdirs"), controller, request);
    }

    private @Nullable INode find(String path) throws IOException {
        return system.read(() -> system.directory().getINode(path));
    }

    private void makeDataset(String path) {
        try {
            INode inode = find(path);
            boolean empty = inode != null
                    && inode.isDirectory()
                    && system.read(() -> inode.asDirectory()
                            .getChildrenList(Snapshot.CURRENT_STATE_ID)
                            .isEmpty());
            if (empty && !isInDataset(path)) {
                creator.submit(() -> create(path)).get();
                Counts.DATASETS.incrementAndGet();
            }
        } catch (IOException e) {
            LOG.info("{} does not become a dataset: {}", path, e.toString());
        } catch (ExecutionException e) {
            LOG.info("{} does not become a dataset: {}", path, String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Message create(String path) throws ServiceException {
        CreateDatasetRequestProto request = CreateDatasetRequestProto.newBuilder()
                .setPath(path)
                .setSchema(SCHEMA)
                .build();
        return mpsr.callBlockingMethod(mpsr.getDescriptorForType().findMethodByName("createDataset"), null, request);
    }
}
