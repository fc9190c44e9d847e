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
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.ModifyAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveDefaultAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.SetAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetOwnerRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetPermissionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrRequestProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * The operations of HDFS, besides renames, that may change the distinct rights of published files. An extended attribute
 * makes a file a published one.
 */
enum RightsChange {
    SET_PERMISSION(SetPermissionRequestProto.class, SetPermissionRequestProto::getSrc, "SETPERMISSION"),
    SET_OWNER(SetOwnerRequestProto.class, SetOwnerRequestProto::getSrc, "SETOWNER"),
    MODIFY_ACL_ENTRIES(ModifyAclEntriesRequestProto.class, ModifyAclEntriesRequestProto::getSrc, "MODIFYACLENTRIES"),
    REMOVE_ACL_ENTRIES(RemoveAclEntriesRequestProto.class, RemoveAclEntriesRequestProto::getSrc, "REMOVEACLENTRIES"),
    REMOVE_DEFAULT_ACL(RemoveDefaultAclRequestProto.class, RemoveDefaultAclRequestProto::getSrc, "REMOVEDEFAULTACL"),
    REMOVE_ACL(RemoveAclRequestProto.class, RemoveAclRequestProto::getSrc, "REMOVEACL"),
    SET_ACL(SetAclRequestProto.class, SetAclRequestProto::getSrc, "SETACL"),
    SET_XATTR(SetXAttrRequestProto.class, SetXAttrRequestProto::getSrc, "SETXATTR"),
    REMOVE_XATTR(RemoveXAttrRequestProto.class, RemoveXAttrRequestProto::getSrc, "REMOVEXATTR"),
    DELETE(DeleteRequestProto.class, DeleteRequestProto::getSrc, "DELETE");

    private static final Map<Class<? extends Message>, RightsChange> BY_REQUEST =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(c -> c.request, c -> c));
    private static final Set<String> WEB_OPERATIONS =
            Arrays.stream(values()).map(c -> c.webOperation).collect(Collectors.toUnmodifiableSet());

    private final Class<? extends Message> request;
    private final Function<Message, String> path;
    private final String webOperation;

    <T extends Message> RightsChange(Class<T> request, Function<T, String> path, String webOperation) {
        this.request = request;
        this.path = message -> path.apply(request.cast(message));
        this.webOperation = webOperation;
    }

    /** The path whose rights a remote call changes, as the caller names it; null if the call changes none. */
    static @Nullable String pathOf(Message request) {
        RightsChange change = BY_REQUEST.get(request.getClass());
        return change == null ? null : change.path.apply(request);
    }

    /** True for an operation of WebHDFS that changes rights. */
    static boolean isWebOperation(String operation) {
        return WEB_OPERATIONS.contains(operation);
    }
}
