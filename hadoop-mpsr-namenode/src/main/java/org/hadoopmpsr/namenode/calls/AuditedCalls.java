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
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RefusalProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ResetOffsetsResponseProto;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line to HDFS's audit log for each call to MPSR: allowed if the call was answered, not allowed if a
 * permission was missing. Calls that failed for another reason have no line, as in HDFS. The command is {@code mpsr}
 * and the name of the call, the source is the path of the call, and the target is the directory that the answer names.
 * A plan for a path that is no dataset leaves no line.
 */
public final class AuditedCalls extends DelegatingService {
    private final MpsrNamesystem system;

    public AuditedCalls(BlockingService delegate, MpsrNamesystem system) {
        super(delegate);
        this.system = system;
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        String command = command(method);
        String path = text(request, "path");
        Message response;
        try {
            response = super.callBlockingMethod(method, controller, request);
        } catch (ServiceException e) {
            if (e.getCause() instanceof AccessControlException) {
                audit(false, command, path, null);
            }
            throw e;
        }
        RefusalProto refusal = refusal(response);
        if (refusal != null) {
            if (refusal.getKind() == RefusalProto.Kind.NO_PERMISSION) {
                audit(false, command, path, null);
            }
        } else if (!(response instanceof PlanResponseProto plan) || plan.getDataset()) {
            audit(true, command, path, target(response));
        }
        return response;
    }

    /** The name of a call in the audit log. */
    public static String command(MethodDescriptor method) {
        String name = method.getName();
        return "mpsr" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private static @Nullable RefusalProto refusal(Message response) {
        if (response instanceof BeginCommitResponseProto begun && begun.hasRefusal()) {
            return begun.getRefusal();
        }
        return response instanceof PublishResponseProto published && published.hasRefusal()
                ? published.getRefusal()
                : null;
    }

    private static @Nullable String target(Message response) {
        if (response instanceof ResetOffsetsResponseProto reset) {
            return reset.getOffsetList().stream()
                    .map(o -> URLEncoder.encode(o.getTopic(), StandardCharsets.UTF_8) + ":" + o.getPartition() + "="
                            + o.getEnd())
                    .collect(Collectors.joining(","));
        }
        String staging = text(response, "staging_dir");
        return staging == null ? text(response, "root") : staging;
    }

    private static @Nullable String text(Message message, String name) {
        FieldDescriptor field = message.getDescriptorForType().findFieldByName(name);
        return field == null || field.isRepeated() || !message.hasField(field)
                ? null
                : message.getField(field).toString();
    }

    private void audit(boolean allowed, String command, @Nullable String path, @Nullable String target)
            throws ServiceException {
        try {
            system.callingUser().audit(allowed, command, path, target);
        } catch (IOException e) {
            throw new ServiceException(e);
        }
    }
}
