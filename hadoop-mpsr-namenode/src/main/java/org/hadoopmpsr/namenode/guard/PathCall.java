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
package org.hadoopmpsr.namenode.guard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.ModifyAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveDefaultAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.SetAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AllowSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSymlinkRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetOwnerRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetPermissionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetQuotaRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetTimesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.CreateEncryptionZoneRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.SetErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.UnsetErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.XAttrProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * The calls of HDFS, other than renames, that change a file or a directory, over RPC and over WebHDFS. Storage policies,
 * snapshots and caches are no such changes: they leave names, contents and rights as they are.
 */
public enum PathCall {
    CREATE("create", Effect.ADD, CreateRequestProto.class, CreateRequestProto::getSrc),
    MKDIRS("mkdirs", Effect.ADD, MkdirsRequestProto.class, MkdirsRequestProto::getSrc, "MKDIRS"),
    CREATE_SYMLINK(
            "createSymlink",
            Effect.ADD,
            CreateSymlinkRequestProto.class,
            CreateSymlinkRequestProto::getLink,
            "CREATESYMLINK"),
    DELETE("delete", Effect.REMOVE, DeleteRequestProto.class, DeleteRequestProto::getSrc, "DELETE"),
    APPEND("append", Effect.CONTENT, AppendRequestProto.class, AppendRequestProto::getSrc),
    TRUNCATE("truncate", Effect.CONTENT, TruncateRequestProto.class, TruncateRequestProto::getSrc, "TRUNCATE"),
    CONCAT("concat", Effect.CONTENT, ConcatRequestProto.class, ConcatRequestProto::getTrg, "CONCAT"),
    SET_TIMES("setTimes", Effect.CONTENT, SetTimesRequestProto.class, SetTimesRequestProto::getSrc, "SETTIMES"),
    SET_XATTR("setXAttr", Effect.ATTRIBUTE, SetXAttrRequestProto.class, SetXAttrRequestProto::getSrc, "SETXATTR"),
    REMOVE_XATTR(
            "removeXAttr",
            Effect.ATTRIBUTE,
            RemoveXAttrRequestProto.class,
            RemoveXAttrRequestProto::getSrc,
            "REMOVEXATTR"),
    SET_REPLICATION(
            "setReplication",
            Effect.METADATA,
            SetReplicationRequestProto.class,
            SetReplicationRequestProto::getSrc,
            "SETREPLICATION"),
    SET_PERMISSION(
            "setPermission",
            Effect.METADATA,
            SetPermissionRequestProto.class,
            SetPermissionRequestProto::getSrc,
            "SETPERMISSION"),
    SET_OWNER("setOwner", Effect.METADATA, SetOwnerRequestProto.class, SetOwnerRequestProto::getSrc, "SETOWNER"),
    MODIFY_ACL(
            "modifyAclEntries",
            Effect.METADATA,
            ModifyAclEntriesRequestProto.class,
            ModifyAclEntriesRequestProto::getSrc,
            "MODIFYACLENTRIES"),
    REMOVE_ACL_ENTRIES(
            "removeAclEntries",
            Effect.METADATA,
            RemoveAclEntriesRequestProto.class,
            RemoveAclEntriesRequestProto::getSrc,
            "REMOVEACLENTRIES"),
    REMOVE_DEFAULT_ACL(
            "removeDefaultAcl",
            Effect.METADATA,
            RemoveDefaultAclRequestProto.class,
            RemoveDefaultAclRequestProto::getSrc,
            "REMOVEDEFAULTACL"),
    REMOVE_ACL("removeAcl", Effect.METADATA, RemoveAclRequestProto.class, RemoveAclRequestProto::getSrc, "REMOVEACL"),
    SET_ACL("setAcl", Effect.METADATA, SetAclRequestProto.class, SetAclRequestProto::getSrc, "SETACL"),
    SET_EC_POLICY(
            "setErasureCodingPolicy",
            Effect.METADATA,
            SetErasureCodingPolicyRequestProto.class,
            SetErasureCodingPolicyRequestProto::getSrc,
            "SETECPOLICY"),
    UNSET_EC_POLICY(
            "unsetErasureCodingPolicy",
            Effect.METADATA,
            UnsetErasureCodingPolicyRequestProto.class,
            UnsetErasureCodingPolicyRequestProto::getSrc,
            "UNSETECPOLICY"),
    CREATE_ENCRYPTION_ZONE(
            "createEncryptionZone",
            Effect.SETTING,
            CreateEncryptionZoneRequestProto.class,
            CreateEncryptionZoneRequestProto::getSrc),
    /** A directory with snapshots cannot be deleted, and MPSR deletes directories of the store. */
    ALLOW_SNAPSHOT(
            "allowSnapshot",
            Effect.SETTING,
            AllowSnapshotRequestProto.class,
            AllowSnapshotRequestProto::getSnapshotRoot,
            "ALLOWSNAPSHOT"),
    SET_QUOTA(
            "setQuota",
            Effect.SETTING,
            SetQuotaRequestProto.class,
            SetQuotaRequestProto::getPath,
            "SETQUOTA",
            "SETQUOTABYSTORAGETYPE");

    private static final Map<Class<? extends Message>, PathCall> BY_REQUEST =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(call -> call.request, call -> call));
    private static final Map<String, PathCall> BY_WEB_OPERATION = byWebOperation();
    /** Those that may change the distinct rights of published files; an attribute makes a file a published one. */
    private static final Set<PathCall> OF_RIGHTS = EnumSet.of(
            SET_PERMISSION,
            SET_OWNER,
            MODIFY_ACL,
            REMOVE_ACL_ENTRIES,
            REMOVE_DEFAULT_ACL,
            REMOVE_ACL,
            SET_ACL,
            SET_XATTR,
            REMOVE_XATTR,
            DELETE);

    private final String command;
    private final Effect effect;
    private final Class<? extends Message> request;
    private final Function<Message, String> path;
    private final List<String> webOperations;

    /** @param webOperations the operations of WebHDFS that the NameNode itself carries out, without a remote call */
    <T extends Message> PathCall(
            String command, Effect effect, Class<T> request, Function<T, String> path, String... webOperations) {
        this.command = command;
        this.effect = effect;
        this.request = request;
        this.path = message -> path.apply(request.cast(message));
        this.webOperations = List.of(webOperations);
    }

    /** What a call does. */
    enum Effect {
        /** Adds a file, a directory or a link. */
        ADD,
        /** Removes a file, or a directory with all that is in it. */
        REMOVE,
        /** Changes the content or the modification time of an existing file; the time of its directory stays. */
        CONTENT,
        /** Sets or removes an extended attribute. */
        ATTRIBUTE,
        /** Changes rights, replication or coding. */
        METADATA,
        /** A setting of an administrator on a directory. */
        SETTING
    }

    /**
     * One call.
     *
     * @param paths as the caller names them: the path, and the sources of a concat
     * @param attribute the extended attribute with its namespace in lower case; empty for other calls
     */
    public record Use(PathCall call, List<String> paths, String attribute) {
        /** True if the call changes an existing file in a way that the times of directories do not show. */
        public boolean changesFile() {
            return call.effect == Effect.CONTENT || attribute.startsWith("trusted.mpsr.");
        }

        /** True if the call may change the distinct rights of published files. */
        public boolean changesRights() {
            return OF_RIGHTS.contains(call);
        }
    }

    private static Map<String, PathCall> byWebOperation() {
        Map<String, PathCall> calls = new HashMap<>();
        for (PathCall call : values()) {
            call.webOperations.forEach(operation -> calls.put(operation, call));
        }
        return Collections.unmodifiableMap(calls);
    }

    /** The use of a remote call; null for a call that is none of these. */
    public static @Nullable Use of(Message request) {
        PathCall call = BY_REQUEST.get(request.getClass());
        if (call == null) {
            return null;
        }
        String path = call.path.apply(request);
        if (request instanceof ConcatRequestProto concat) {
            List<String> paths = new ArrayList<>(List.of(path));
            paths.addAll(concat.getSrcsList());
            return new Use(call, paths, "");
        }
        String attribute = request instanceof SetXAttrRequestProto set
                ? name(set.getXAttr())
                : request instanceof RemoveXAttrRequestProto remove ? name(remove.getXAttr()) : "";
        return new Use(call, List.of(path), attribute);
    }

    private static String name(XAttrProto attribute) {
        return attribute.getNamespace().name().toLowerCase(Locale.ROOT) + "." + attribute.getName();
    }

    /**
     * The use of an operation of WebHDFS; null for an operation that is none of these.
     *
     * @param operation in upper case
     * @param parameters gives the value of a parameter; empty if it is missing
     */
    public static @Nullable Use ofWeb(String operation, String path, UnaryOperator<String> parameters) {
        PathCall call = BY_WEB_OPERATION.get(operation);
        if (call == null) {
            return null;
        }
        List<String> paths = new ArrayList<>(List.of(path));
        if (call == CONCAT) {
            Arrays.stream(parameters.apply("sources").split(","))
                    .filter(source -> !source.isEmpty())
                    .forEach(paths::add);
        }
        return new Use(call, paths, parameters.apply("xattr.name").toLowerCase(Locale.ROOT));
    }

    /** The name of the call in HDFS's audit log. */
    public String command() {
        return command;
    }

    Effect effect() {
        return effect;
    }
}
