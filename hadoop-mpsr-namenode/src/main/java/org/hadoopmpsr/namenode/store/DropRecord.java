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

import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.client.proto.MpsrProtos.DropProto;
import org.hadoopmpsr.core.format.StoredForm;

/**
 * A dropped dataset whose other representations are still there. Kept as {@link Attributes#DROPPED}. Immutable.
 *
 * @param storeDir the dataset's directory in the store
 * @param path the directory that was the dataset
 * @param timeMs the time of the drop, in milliseconds since the epoch
 * @param now true to delete them as soon as the files that stay have all their copies
 * @param files the number of files in the store
 * @param storedBytes the bytes of all copies of these files
 */
public record DropRecord(String storeDir, String path, long timeMs, boolean now, long files, long storedBytes) {

    /** Reads the kept form. */
    public static DropRecord decode(String storeDir, byte[] value) throws UnreadableRecordException {
        DropProto proto = StoredRecords.drop(value, storeDir);
        return new DropRecord(
                storeDir, proto.getPath(), proto.getTime(), proto.getNow(), proto.getFiles(), proto.getStoredBytes());
    }

    public byte[] encode() {
        return DropProto.newBuilder()
                .setFormatVersion(StoredForm.DROP.version())
                .setPath(path)
                .setTime(timeMs)
                .setNow(now)
                .setFiles(files)
                .setStoredBytes(storedBytes)
                .build()
                .toByteArray();
    }

    /** Not before this they are deleted, in milliseconds since the epoch. */
    public long deletedAtMs(int delaySeconds) {
        return timeMs + (now ? 0 : TimeUnit.SECONDS.toMillis(delaySeconds));
    }
}
