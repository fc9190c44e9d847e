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
package org.hadoopmpsr.namenode.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.hadoopmpsr.client.proto.MpsrProtos.RemovesProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ReplacesProto;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Rebuild;

/**
 * What a change names, which may be too long for one attribute: the segments that a rewrite removes, or to which the files of a
 * rebuild belong ({@link Attributes#REMOVES}), and the inode ids of the files that a rebuild replaces ({@link
 * Attributes#REPLACES}). Immutable.
 *
 * @param segments the values of the attributes with segments
 * @param files the values of those with files
 */
public record ChangeLists(List<byte[]> segments, List<byte[]> files) {
    /** HDFS allows 32 attributes on a file or directory by default. */
    private static final int MOST = 24;
    /** A number takes as many bytes at most. */
    private static final int NUMBER_BYTES = 10;

    /**
     * The lists of a change.
     *
     * @param maxBytes how long one attribute may be
     * @throws IOException if they are too long to keep
     */
    public static ChangeLists of(DatasetChange change, int maxBytes) throws IOException {
        Rebuild rebuild = change.rebuild();
        List<String> named = new ArrayList<>(rebuild == null ? change.removes() : rebuild.segments());
        named.addAll(change.restores());
        List<byte[]> segments = segments(named, maxBytes);
        List<byte[]> files = rebuild == null ? List.of() : files(rebuild.replaces(), maxBytes);
        if (segments.size() + files.size() > MOST) {
            throw new IOException("the segments and files that the change replaces take "
                    + (segments.size() + files.size()) + " extended attributes, more than the " + MOST
                    + " that a change may have; replace fewer of them at a time");
        }
        return new ChangeLists(segments, files);
    }

    private static List<byte[]> segments(List<String> ids, int maxBytes) {
        List<byte[]> values = new ArrayList<>();
        RemovesProto.Builder next = RemovesProto.newBuilder();
        int bytes = 0;
        for (String segment : ids) {
            int more = segment.length() + 3; // ASCII, with the frame of a field
            if (bytes + more > maxBytes) {
                values.add(next.build().toByteArray());
                next.clear();
                bytes = 0;
            }
            next.addSegment(segment);
            bytes += more;
        }
        if (bytes > 0) {
            values.add(next.build().toByteArray());
        }
        return values;
    }

    private static List<byte[]> files(List<Long> ids, int maxBytes) {
        List<byte[]> values = new ArrayList<>();
        ReplacesProto.Builder next = ReplacesProto.newBuilder();
        long before = 0;
        int bytes = NUMBER_BYTES; // the frame of the field
        for (long id : ids.stream().sorted().toList()) {
            if (bytes + NUMBER_BYTES > maxBytes) {
                values.add(next.build().toByteArray());
                next.clear();
                before = 0;
                bytes = NUMBER_BYTES;
            }
            next.addFileId(id - before);
            bytes += bytesOf(id - before);
            before = id;
        }
        if (next.getFileIdCount() > 0) {
            values.add(next.build().toByteArray());
        }
        return values;
    }

    private static int bytesOf(long number) {
        return (Long.SIZE - Long.numberOfLeadingZeros(number | 1) + 6) / 7;
    }

    /** The values by the names of their attributes. */
    public Map<String, byte[]> byName() {
        Map<String, byte[]> all = new LinkedHashMap<>();
        for (int i = 0; i < segments.size(); i++) {
            all.put(Attributes.REMOVES + i, segments.get(i));
        }
        for (int i = 0; i < files.size(); i++) {
            all.put(Attributes.REPLACES + i, files.get(i));
        }
        return all;
    }

    /** Reads the segments from the attributes of a change's directory. Needs the read lock. */
    static List<String> segments(INode directory, String path, int attributes) throws IOException {
        List<String> segments = new ArrayList<>();
        for (int i = 0; i < attributes; i++) {
            segments.addAll(StoredRecords.removes(CommitRecord.value(directory, path, Attributes.REMOVES + i), path)
                    .getSegmentList());
        }
        return segments;
    }

    /** Reads the files from the attributes of a change's directory. Needs the read lock. */
    static List<Long> files(INode directory, String path, int attributes) throws IOException {
        List<Long> files = new ArrayList<>();
        for (int i = 0; i < attributes; i++) {
            long id = 0;
            for (long more : StoredRecords.replaces(CommitRecord.value(directory, path, Attributes.REPLACES + i), path)
                    .getFileIdList()) {
                id += more;
                files.add(id);
            }
        }
        return files;
    }
}
