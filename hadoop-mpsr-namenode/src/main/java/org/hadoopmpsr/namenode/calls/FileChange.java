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

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetTimesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateRequestProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/** The operations of HDFS that change an existing file without changing the modification time of its directory. */
enum FileChange {
    /** For this operation, WebHDFS sends the caller to a DataNode, which makes the remote call. */
    APPEND(AppendRequestProto.class, AppendRequestProto::getSrc, ""),
    TRUNCATE(TruncateRequestProto.class, TruncateRequestProto::getSrc, "TRUNCATE"),
    CONCAT(ConcatRequestProto.class, ConcatRequestProto::getTrg, "CONCAT"),
    SET_TIMES(SetTimesRequestProto.class, SetTimesRequestProto::getSrc, "SETTIMES");

    private static final Map<Class<? extends Message>, FileChange> BY_REQUEST =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(c -> c.request, c -> c));
    private static final Set<String> WEB_OPERATIONS = Arrays.stream(values())
            .map(c -> c.webOperation)
            .filter(operation -> !operation.isEmpty())
            .collect(Collectors.toUnmodifiableSet());

    private final Class<? extends Message> request;
    private final Function<Message, String> path;
    private final String webOperation;

    /** @param webOperation the operation of WebHDFS that the NameNode itself carries out; empty if there is none */
    <T extends Message> FileChange(Class<T> request, Function<T, String> path, String webOperation) {
        this.request = request;
        this.path = message -> path.apply(request.cast(message));
        this.webOperation = webOperation;
    }

    /** The file that a remote call changes, as the caller names it; null if the call changes no file. */
    static @Nullable String fileOf(Message request) {
        FileChange change = BY_REQUEST.get(request.getClass());
        return change == null ? null : change.path.apply(request);
    }

    /** True for an operation of WebHDFS by which the NameNode itself changes a file. */
    static boolean isWebOperation(String operation) {
        return WEB_OPERATIONS.contains(operation);
    }
}
