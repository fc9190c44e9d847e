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
package org.hadoopmpsr.namenode.listing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBatchedListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DirectoryListingProto;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.core.text.PrintableText;

/**
 * Answers a listing of a dataset's directory with all entries at once, where HDFS answers page by page: a rewrite must not
 * exchange files between two pages. A client that asks for a further page all the same gets it, unless a rewrite may have
 * come in between. Thread-safe.
 */
public final class WholeListings {
    /** The most bytes of an answer, about. What is more is listed in pages. */
    private static final int MOST_BYTES = 16 << 20;
    /** So often files may be exchanged while a directory is listed. */
    private static final int TRIES = 10;

    private final MpsrNamesystem system;
    private final Exchanges exchanges;

    public WholeListings(MpsrNamesystem system, Exchanges exchanges) {
        this.system = system;
        this.exchanges = exchanges;
    }

    /** Asks HDFS. */
    public interface Call {
        Message ask(Message request) throws ServiceException;
    }

    /**
     * The answer of HDFS to a call, or another one with all entries.
     *
     * @throws IOException if the pages of a listing would not fit together
     */
    public Message whole(Message request, Message answer, Call hdfs) throws IOException, ServiceException {
        if (request instanceof GetListingRequestProto listing && answer instanceof GetListingResponseProto page) {
            return listed(listing, page, hdfs);
        }
        if (request instanceof GetBatchedListingRequestProto listing
                && !listing.getStartAfter().isEmpty()
                && listing.getPathsCount() > 0) {
            check(system.resolve(listing.getPaths(0), 0), listing.getStartAfter());
        }
        return answer;
    }

    private Message listed(GetListingRequestProto request, GetListingResponseProto page, Call hdfs)
            throws IOException, ServiceException {
        boolean first = request.getStartAfter().isEmpty();
        if (!page.hasDirList() || first && page.getDirList().getRemainingEntries() == 0) {
            return page;
        }
        String directory = system.resolve(request.getSrc(), 0);
        for (int i = 0; i < TRIES; i++) {
            Optional<Map<String, Integer>> before = exchanges.in(directory);
            if (before.isEmpty()) {
                return page;
            }
            Message all = joined(request, hdfs);
            if (before.equals(exchanges.in(directory))) {
                if (!first) {
                    check(directory, request.getStartAfter());
                }
                return all;
            }
        }
        throw changed(directory);
    }

    private static Message joined(GetListingRequestProto request, Call hdfs) throws ServiceException {
        DirectoryListingProto.Builder all = DirectoryListingProto.newBuilder();
        ByteString last = request.getStartAfter();
        int bytes = 0;
        int remaining = 1;
        while (remaining > 0 && bytes < MOST_BYTES) {
            Message answer = hdfs.ask(request.toBuilder().setStartAfter(last).build());
            if (!(answer instanceof GetListingResponseProto page) || !page.hasDirList()) {
                return answer; // it was deleted
            }
            DirectoryListingProto some = page.getDirList();
            int count = some.getPartialListingCount();
            all.addAllPartialListing(some.getPartialListingList());
            bytes += some.getSerializedSize();
            last = count == 0 ? last : some.getPartialListing(count - 1).getPath();
            remaining = count == 0 ? 0 : some.getRemainingEntries();
        }
        return GetListingResponseProto.newBuilder()
                .setDirList(all.setRemainingEntries(remaining))
                .build();
    }

    private void check(String directory, ByteString after) throws IOException {
        if (exchanges.mayHaveBegunBefore(directory, after.toString(StandardCharsets.UTF_8))) {
            throw changed(directory);
        }
    }

    /** What a client is told whose listing cannot go on. */
    static IOException changed(String directory) {
        return new IOException("cannot go on with the listing of " + PrintableText.of(directory)
                + ": files of the dataset were merged there while it was listed, and its pages would not fit together;"
                + " list it again from its beginning");
    }
}
