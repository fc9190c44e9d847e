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
package org.hadoopmpsr.mount.view;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.util.StringUtils;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;

/** The extended attributes: those that tell where data lies, and those of users, which HDFS keeps. Thread-safe. */
final class ExtendedAttributes {
    private static final String USER = "user.";
    private static final String OURS = "user.mpsr.";
    private static final String LOCATIONS = OURS + "locations";
    private static final String LOCATIONS_FROM = LOCATIONS + ".";
    private static final String HOSTS = OURS + "hosts";
    private static final String ASSIGNMENT = OURS + "assignment";
    private static final String DATASET = OURS + "dataset";
    private static final String GROUP = OURS + "group";
    private static final String REPLICATION = OURS + "replication";
    private static final String BLOCK_SIZE = OURS + "blocksize";
    private static final String CHECKSUM = OURS + "checksum";

    private static final int ONLY_CREATE = 1;
    private static final int ONLY_REPLACE = 2;

    private final Store store;
    private final DatasetPlaces datasets;
    private final ReadCost cost;

    ExtendedAttributes(Store store, DatasetPlaces datasets, ReadCost cost) {
        this.store = store;
        this.datasets = datasets;
        this.cost = cost;
    }

    /** The value; fails with {@code ENODATA} if there is none. */
    byte[] get(Path path, String name) throws IOException {
        if (name.startsWith(OURS)) {
            return ours(path, name).getBytes(StandardCharsets.UTF_8);
        }
        byte[] value = name.startsWith(USER) ? store.fs().getXAttrs(path).get(name) : null;
        if (value == null) {
            throw none(name);
        }
        return value;
    }

    /** The names. That of the checksum is not among them, because tools that copy all attributes would have it computed. */
    List<String> names(Path path, FileStatus status) throws IOException {
        List<String> names = new ArrayList<>();
        if (status.isFile()) {
            names.addAll(List.of(LOCATIONS, HOSTS, REPLICATION, BLOCK_SIZE));
        } else {
            names.addAll(List.of(HOSTS, ASSIGNMENT));
        }
        if (datasets.of(path.toUri().getPath()).isPresent()) {
            names.addAll(List.of(DATASET, GROUP));
        }
        store.fs().listXAttrs(path).stream()
                .filter(name -> name.startsWith(USER))
                .forEach(names::add);
        return names;
    }

    /** Sets one of a user's; the others cannot be set. */
    void set(Path path, String name, byte[] value, int flags) throws IOException {
        requireUsers(name);
        EnumSet<XAttrSetFlag> allowed = flags == ONLY_CREATE
                ? EnumSet.of(XAttrSetFlag.CREATE)
                : flags == ONLY_REPLACE
                        ? EnumSet.of(XAttrSetFlag.REPLACE)
                        : EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE);
        boolean there = store.fs().getXAttrs(path).containsKey(name);
        if (flags == ONLY_CREATE && there) {
            throw new ErrnoException(Errno.EEXIST, "'" + path + "' has an attribute '" + name + "'");
        }
        if (flags == ONLY_REPLACE && !there) {
            throw none(name);
        }
        store.fs().setXAttr(path, name, value, allowed);
    }

    /** Removes one of a user's. */
    void remove(Path path, String name) throws IOException {
        requireUsers(name);
        if (!store.fs().getXAttrs(path).containsKey(name)) {
            throw none(name);
        }
        store.fs().removeXAttr(path, name);
    }

    private String ours(Path path, String name) throws IOException {
        return switch (name) {
            case DATASET -> place(path, name).dataset().path();
            case GROUP -> place(path, name).group();
            case HOSTS -> Hosts.bytes(store.filesAt(path));
            case ASSIGNMENT -> assignment(path, name);
            case REPLICATION -> String.valueOf(file(path, name).getReplication());
            case BLOCK_SIZE -> String.valueOf(file(path, name).getBlockSize());
            case LOCATIONS -> Hosts.blocks(List.of(located(path, name).getBlockLocations()));
            case CHECKSUM -> checksum(path, name);
            default -> locationsFrom(path, name);
        };
    }

    private String assignment(Path path, String name) throws IOException {
        if (!store.status(path).isDirectory()) {
            throw none(name);
        }
        return Hosts.assignment(store.filesAt(path), cost);
    }

    private String locationsFrom(Path path, String name) throws IOException {
        if (!name.startsWith(LOCATIONS_FROM)) {
            throw none(name);
        }
        long offset;
        try {
            offset = Long.parseLong(name.substring(LOCATIONS_FROM.length()));
        } catch (NumberFormatException e) {
            throw none(name);
        }
        return Hosts.blocksFrom(offset, List.of(located(path, name).getBlockLocations()));
    }

    private String checksum(Path path, String name) throws IOException {
        file(path, name);
        FileChecksum checksum = store.fs().getFileChecksum(path);
        if (checksum == null) {
            throw none(name);
        }
        return checksum.getAlgorithmName() + ":" + StringUtils.byteToHexString(checksum.getBytes());
    }

    private DatasetPlaces.Place place(Path path, String name) throws IOException {
        Optional<DatasetPlaces.Place> place = datasets.of(path.toUri().getPath());
        return place.orElseThrow(() -> none(name));
    }

    private FileStatus file(Path path, String name) throws IOException {
        FileStatus status = store.status(path);
        if (!status.isFile()) {
            throw none(name);
        }
        return status;
    }

    private LocatedFileStatus located(Path path, String name) throws IOException {
        file(path, name);
        return store.filesAt(path).stream().findFirst().orElseThrow(() -> new FileNotFoundException(path.toString()));
    }

    private static void requireUsers(String name) throws ErrnoException {
        if (!name.startsWith(USER)) {
            throw new ErrnoException(Errno.EOPNOTSUPP, "attributes of users have names that begin with " + USER);
        }
        if (name.startsWith(OURS)) {
            throw new ErrnoException(Errno.EPERM, "attributes " + OURS + "* tell where data lies, and cannot be set");
        }
    }

    private static ErrnoException none(String name) {
        return new ErrnoException(Errno.ENODATA, "there is no attribute '" + name + "'");
    }
}
