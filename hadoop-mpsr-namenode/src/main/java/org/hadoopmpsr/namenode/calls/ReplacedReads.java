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

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLocatedFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLocatedFileInfoResponseProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.namenode.segment.ReplacedFiles;
import org.jspecify.annotations.Nullable;

/**
 * Finds the call that reads a replaced file where it is now, for a call that reads it by the path that it had and finds
 * nothing there. Thread-safe.
 */
public final class ReplacedReads {
    private final ReplacedFiles replaced;

    public ReplacedReads(ReplacedFiles replaced) {
        this.replaced = replaced;
    }

    /** The other call for one that was answered; null if the answer stands. */
    @Nullable
    Message instead(Message request, Message response) throws ServiceException {
        if (request instanceof GetFileInfoRequestProto info
                && response instanceof GetFileInfoResponseProto found
                && !found.hasFs()) {
            String path = path(info.getSrc());
            return path == null ? null : info.toBuilder().setSrc(path).build();
        }
        if (request instanceof GetLocatedFileInfoRequestProto info
                && response instanceof GetLocatedFileInfoResponseProto found
                && !found.hasFs()) {
            String path = path(info.getSrc());
            return path == null ? null : info.toBuilder().setSrc(path).build();
        }
        if (request instanceof GetListingRequestProto listing
                && response instanceof GetListingResponseProto found
                && !found.hasDirList()) {
            String path = path(listing.getSrc());
            return path == null ? null : listing.toBuilder().setSrc(path).build();
        }
        return null;
    }

    /** The other call for one that failed; null if the failure stands. */
    @Nullable
    Message instead(Message request, ServiceException failure) throws ServiceException {
        if (request instanceof GetBlockLocationsRequestProto locations
                && failure.getCause() instanceof FileNotFoundException) {
            String path = path(locations.getSrc());
            return path == null ? null : locations.toBuilder().setSrc(path).build();
        }
        return null;
    }

    private @Nullable String path(String missing) throws ServiceException {
        try {
            return replaced.of(missing).orElse(null);
        } catch (IOException e) {
            throw new ServiceException(e);
        }
    }
}
