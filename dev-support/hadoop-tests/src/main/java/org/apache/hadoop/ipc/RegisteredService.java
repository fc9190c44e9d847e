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
package org.apache.hadoop.ipc;

import org.apache.hadoop.thirdparty.protobuf.BlockingService;

/** Looks at what an RPC server serves, which Hadoop shows to its own package only. */
public final class RegisteredService {

    private RegisteredService() {}

    /** The service that answers a protocol's calls. */
    public static BlockingService of(RPC.Server server, Class<?> protocol) {
        RPC.Server.ProtoNameVer name =
                new RPC.Server.ProtoNameVer(RPC.getProtocolName(protocol), RPC.getProtocolVersion(protocol));
        RPC.Server.ProtoClassProtoImpl found =
                server.getProtocolImplMap(RPC.RpcKind.RPC_PROTOCOL_BUFFER).get(name);
        if (found == null) {
            throw new IllegalStateException(protocol.getName() + " is not served");
        }
        return (BlockingService) found.protocolImpl;
    }
}
