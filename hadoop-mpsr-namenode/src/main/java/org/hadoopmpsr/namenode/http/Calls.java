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
package org.hadoopmpsr.namenode.http;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.namenode.calls.ServicePolicy;

/**
 * Carries out calls of the protocol for web clients. They wait in the same queue as calls by RPC, a handler of the NameNode
 * answers them as their user, and the service is the one behind the same limits, audit log and permissions. Thread-safe.
 */
final class Calls {
    private final MpsrNamesystem system;
    private final BlockingService service;

    /** @param service answers calls, with their limits and their lines in the audit log */
    Calls(MpsrNamesystem system, BlockingService service) {
        this.system = system;
        this.service = service;
    }

    /**
     * Waits for the answer of a call.
     *
     * @param name of the call, as in the protocol
     * @throws IOException what a caller by RPC would be told
     */
    <T extends Message> T answer(
            Class<T> type, UserGroupInformation user, InetAddress address, int port, String name, Message request)
            throws IOException {
        ServicePolicy.check(system, user, address);
        MethodDescriptor method = service.getDescriptorForType().findMethodByName(name);
        byte[] bytes = request.toByteArray();
        return type.cast(new WebCall<>(user, address, port, () -> call(method, bytes)).answer(system));
    }

    /** In the handler's thread: the message is measured and built there, as one that has come by RPC. */
    private Message call(MethodDescriptor method, byte[] request) throws IOException {
        try {
            Message message =
                    service.getRequestPrototype(method).getParserForType().parseFrom(request);
            return service.callBlockingMethod(method, null, message);
        } catch (ServiceException e) {
            throw e.getCause() instanceof IOException refused ? refused : new IOException(e);
        }
    }
}
