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

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.hadoopmpsr.client.proto.MpsrProtos.CommitProto;
import org.hadoopmpsr.client.proto.MpsrProtos.CommittedContentProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DropProto;
import org.hadoopmpsr.client.proto.MpsrProtos.HistoryProto;
import org.hadoopmpsr.client.proto.MpsrProtos.LeftProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintenanceLeaseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintenanceProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RemovesProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ReplacesProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SegmentProto;
import org.hadoopmpsr.client.wire.HistoryWire;
import org.hadoopmpsr.client.wire.MaintenanceWire;
import org.hadoopmpsr.client.wire.SegmentWire;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.format.StoredForm;
import org.hadoopmpsr.core.format.UnknownVersionException;
import org.hadoopmpsr.core.history.HistoryRecord;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.maintain.MaintenanceLease;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records that MPSR keeps as extended attributes and names, and checks their versions. The version is checked before
 * anything else: a newer version may lack fields that this version requires.
 */
public final class StoredRecords {

    private StoredRecords() {}

    /**
     * Reads {@link Attributes#DATASET}.
     *
     * @param path the dataset directory, for the message
     */
    public static DatasetProto dataset(byte[] value, String path) throws UnreadableRecordException {
        return read(value, DatasetProto.parser(), DatasetProto::getFormatVersion, StoredForm.DATASET, path);
    }

    /**
     * Reads {@link Attributes#DROPPED}.
     *
     * @param path the dataset's directory in the store, for the message
     */
    public static DropProto drop(byte[] value, String path) throws UnreadableRecordException {
        return read(value, DropProto.parser(), DropProto::getFormatVersion, StoredForm.DROP, path);
    }

    /**
     * Reads {@link Attributes#LEFT}.
     *
     * @param path the dataset's directory in the store, for the message
     */
    public static LeftProto left(byte[] value, String path) throws UnreadableRecordException {
        return read(value, LeftProto.parser(), LeftProto::getFormatVersion, StoredForm.LEFT, path);
    }

    /**
     * Reads {@link Attributes#COMMIT}.
     *
     * @param path the commit's directory, for the message
     */
    public static CommitProto commit(byte[] value, String path) throws UnreadableRecordException {
        return read(value, CommitProto.parser(), CommitProto::getFormatVersion, StoredForm.COMMIT, path);
    }

    /**
     * Reads {@link Attributes#COMMITTED}.
     *
     * @param path the directory, for the message
     */
    public static CommittedContentProto committed(byte[] value, String path) throws UnreadableRecordException {
        return read(
                value,
                CommittedContentProto.parser(),
                CommittedContentProto::getFormatVersion,
                StoredForm.COMMITTED,
                path);
    }

    /**
     * Reads one of {@link Attributes#REMOVES}, which belongs to a record that was read.
     *
     * @param path the change's directory, for the message
     */
    static RemovesProto removes(byte[] value, String path) throws UnreadableRecordException {
        try {
            return RemovesProto.parseFrom(value);
        } catch (InvalidProtocolBufferException e) {
            throw unreadable("list of removed segments", path, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Reads one of {@link Attributes#REPLACES}.
     *
     * @param path the change's directory, for the message
     */
    static ReplacesProto replaces(byte[] value, String path) throws UnreadableRecordException {
        try {
            return ReplacesProto.parseFrom(value);
        } catch (InvalidProtocolBufferException e) {
            throw unreadable("list of replaced files", path, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Reads {@link Attributes#SEGMENT}.
     *
     * @param path the record of the segment, for the message
     */
    public static Segment segment(byte[] value, String path) throws UnreadableRecordException {
        SegmentProto proto =
                read(value, SegmentProto.parser(), SegmentProto::getFormatVersion, StoredForm.SEGMENT, path);
        try {
            return SegmentWire.segment(PathNames.name(path), proto);
        } catch (IllegalArgumentException e) {
            throw unreadable(StoredForm.SEGMENT.title(), path, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Reads {@link Attributes#HOME}.
     *
     * @param path the dataset's directory in the store, for the message
     * @return the inode id of the dataset directory
     */
    public static long home(byte[] value, String path) throws UnreadableRecordException {
        String text = new String(value, StandardCharsets.UTF_8);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw unreadable("inode id of the dataset directory", path, "'" + text + "' is no decimal number", e);
        }
    }

    /**
     * Reads the name of a committed offset.
     *
     * @param directory the directory of the name, for the message
     */
    public static CommittedOffset offset(String name, String directory) throws UnreadableRecordException {
        try {
            return CommittedOffset.parse(name);
        } catch (IllegalArgumentException e) {
            throw unreadable("committed offset", directory + "/" + name, "the name has another form", e);
        }
    }

    /**
     * Reads {@link Attributes#LEASE}.
     *
     * @param path the store, for the message
     */
    public static MaintenanceLease maintenanceLease(byte[] value, String path) throws UnreadableRecordException {
        MaintenanceLeaseProto proto = read(
                value, MaintenanceLeaseProto.parser(), MaintenanceLeaseProto::getFormatVersion, StoredForm.LEASE, path);
        return new MaintenanceLease(proto.getHolder(), proto.getSince(), proto.getExpires(), proto.getChecked());
    }

    /**
     * Reads {@link Attributes#MAINTENANCE}.
     *
     * @param path the dataset's directory in the store, for the message
     */
    public static List<MaintenanceRun> maintenance(byte[] value, String path) throws UnreadableRecordException {
        MaintenanceProto proto = read(
                value, MaintenanceProto.parser(), MaintenanceProto::getFormatVersion, StoredForm.MAINTENANCE, path);
        try {
            return MaintenanceWire.runs(proto.getRunList());
        } catch (IllegalArgumentException e) {
            throw unreadable(StoredForm.MAINTENANCE.title(), path, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Reads {@link Attributes#HISTORY}.
     *
     * @param path the dataset's directory in the store, for the message
     */
    public static HistoryRecord history(byte[] value, String path) throws UnreadableRecordException {
        return HistoryWire.history(
                read(value, HistoryProto.parser(), HistoryProto::getFormatVersion, StoredForm.HISTORY, path));
    }

    private static <T extends Message> T read(
            byte[] value, Parser<T> parser, ToIntFunction<T> version, StoredForm form, String path)
            throws UnreadableRecordException {
        try {
            T message = parser.parsePartialFrom(value);
            form.check(version.applyAsInt(message), path);
            if (!message.isInitialized()) {
                throw unreadable(form.title(), path, "it lacks " + message.findInitializationErrors(), null);
            }
            return message;
        } catch (InvalidProtocolBufferException e) {
            throw unreadable(form.title(), path, String.valueOf(e.getMessage()), e);
        } catch (UnknownVersionException e) {
            throw new UnreadableRecordException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The exception for a record that is not understood.
     *
     * @param title what the record is
     * @param path what it belongs to
     */
    public static UnreadableRecordException unreadable(String title, String path, String cause, @Nullable Exception e) {
        return new UnreadableRecordException(
                "cannot read the " + title + " of '" + path + "': " + cause
                        + "; a newer MPSR wrote it, or it is damaged: run that version, or restore it",
                e);
    }
}
