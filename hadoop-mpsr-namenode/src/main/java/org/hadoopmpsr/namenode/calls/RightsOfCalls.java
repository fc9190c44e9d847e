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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBatchedListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2RequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.guard.PathCall;
import org.hadoopmpsr.namenode.rights.DatasetRights;
import org.hadoopmpsr.namenode.rights.RightsChanges;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Keeps {@link DatasetRights} right for the clients' calls. Before a call that names a path in the store, the rights are
 * made known; after a call that changes rights, the change is told. After a failure, nothing counts as known.
 */
public final class RightsOfCalls {
    private static final Logger LOG = PrintableLog.of(RightsOfCalls.class);
    private static final String RESERVED = "/.reserved/";

    private final MpsrNamesystem system;
    private final DatasetRights rights;
    private final RightsChanges changes;
    private final String store;
    /** The field that names the path, by the type of the request; empty if the type has none. */
    private final Map<Class<?>, Optional<FieldDescriptor>> fields = new ConcurrentHashMap<>();

    public RightsOfCalls(MpsrNamesystem system, DatasetRights rights, StoreLayout layout) {
        this.system = system;
        this.rights = rights;
        this.changes = rights.changes();
        this.store = layout.storeDir() + "/";
    }

    /** Must be called before a call is made, without the namesystem's lock. */
    void before(Message request) {
        if (request instanceof GetBatchedListingRequestProto listing) {
            listing.getPathsList().forEach(this::before);
            return;
        }
        Optional<FieldDescriptor> field = fields.get(request.getClass());
        if (field == null) { // asked for first, because computing locks
            field = fields.computeIfAbsent(request.getClass(), type -> pathField(request));
        }
        if (field.isPresent()) {
            before((String) request.getField(field.get()));
        }
    }

    private static Optional<FieldDescriptor> pathField(Message request) {
        return Optional.ofNullable(request.getDescriptorForType().findFieldByName("src"))
                .filter(f -> f.getJavaType() == FieldDescriptor.JavaType.STRING && !f.isRepeated());
    }

    /** Must be called before a path is read; see {@link #before(Message)}. */
    void before(String path) {
        if (path.startsWith(store) || path.startsWith(RESERVED)) {
            attempt(() -> rights.ensure(path));
        }
    }

    /**
     * Must be called after a call was made, before the caller gets the answer.
     *
     * @param use what the call does to a path, or null
     */
    void after(Message request, PathCall.@Nullable Use use) {
        if (request instanceof RenameRequestProto rename) {
            moved(rename.getSrc(), rename.getDst());
        } else if (request instanceof Rename2RequestProto rename) {
            moved(rename.getSrc(), rename.getDst());
        } else if (use != null && use.changesRights()) {
            attempt(() -> changes.changed(system.resolve(use.paths().get(0), 0)));
        }
    }

    private void moved(String from, String to) {
        attempt(() -> changes.moved(system.resolve(from, 0), system.resolve(to, 0)));
    }

    /**
     * Must be called before a call of which the caller may learn the answer before it returns; the result must be run
     * after it.
     *
     * @param target where a rename moves the path to, or null for another change of rights
     */
    Runnable changing(String path, @Nullable String target) {
        List<RightsChanges.Change> started = new ArrayList<>();
        attempt(() -> started.add(changes.changing(path, target == null ? null : system.resolve(target, 0))));
        return () -> started.forEach(change -> attempt(change::close));
    }

    private interface Step {
        void run() throws IOException;
    }

    private void attempt(Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            LOG.warn("MPSR cannot follow the rights in a dataset, and looks at all of them again", e);
            rights.forget();
        }
    }
}
