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
package org.hadoopmpsr.client.degraded;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.jspecify.annotations.Nullable;

/**
 * HDFS for planned files, whose records other groups have too: a read fails soon where no DataNode answers, and is not tried
 * again. The scheme is its own, and so is the client: other reads of the process stay as they are. For reading only.
 */
public final class PlannedFileSystem extends FilterFileSystem {
    /** The scheme of its paths. */
    public static final String SCHEME = "mpsr";

    /** In the configuration: after so many milliseconds without an answer, a DataNode is given up. */
    private static final String TIMEOUT = "mpsr.degraded.timeout.ms";

    /** A DataNode of which a connection was used so lately is alive, but for the rarest case. */
    private static final int CONNECTION_KEPT_MS = 250;

    private static final Map<String, Configuration> KNOWN = new ConcurrentHashMap<>();

    /** Hadoop makes it. */
    public PlannedFileSystem() {}

    /** Makes the scheme known to a configuration. */
    public static void addTo(Configuration conf, int timeoutMs) {
        conf.set("fs." + SCHEME + ".impl", PlannedFileSystem.class.getName());
        conf.setInt(TIMEOUT, timeoutMs);
    }

    /** The path of the same file in HDFS, under this scheme. */
    public static Path path(Path hdfs) {
        return new Path(withScheme(hdfs.toUri(), SCHEME));
    }

    /** After so many milliseconds without an answer, who opens files with the configuration gives a DataNode up. */
    static int timeoutMs(Configuration conf) {
        return conf.getInt(TIMEOUT, 0);
    }

    /** The configuration with which files of a cluster were opened under this scheme by this process. */
    public static Optional<Configuration> configuration(String authority) {
        return Optional.ofNullable(KNOWN.get(authority));
    }

    /**
     * The DataNodes, with their ports, of each block of a part of a file under this scheme; empty if the NameNode does not
     * tell.
     */
    public static List<Set<String>> nodes(Path path, long start, long length) {
        Configuration conf = KNOWN.get(path.toUri().getAuthority());
        List<Set<String>> nodes = new ArrayList<>();
        if (conf != null) {
            try {
                for (BlockLocation block : path.getFileSystem(conf).getFileBlockLocations(path, start, length)) {
                    nodes.add(Set.copyOf(List.of(block.getNames())));
                }
            } catch (IOException e) {
                return List.of();
            }
        }
        return nodes;
    }

    private static URI withScheme(URI uri, String scheme) {
        try {
            return new URI(scheme, uri.getAuthority(), uri.getPath(), null, null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Path inner(Path path) {
        return new Path(withScheme(path.toUri(), "hdfs"));
    }

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        Configuration failing = new Configuration(conf);
        failing.setInt("dfs.client.max.block.acquire.failures", 0);
        // each open connection to a DataNode that stands still would take the timeout before a new one does
        failing.setInt("dfs.client.cached.conn.retry", 1);
        failing.set("dfs.client.context", conf.get("dfs.client.context", "default") + "-mpsr");
        failing.setInt("dfs.client.socketcache.expiryMsec", CONNECTION_KEPT_MS);
        failing.setInt("dfs.client.socket-timeout", timeoutMs(conf));
        fs = FileSystem.newInstance(withScheme(name, "hdfs"), failing);
        super.initialize(name, conf);
        KNOWN.put(name.getAuthority(), conf);
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return fs.open(inner(path), bufferSize);
    }

    @Override
    public FutureDataInputStreamBuilder openFile(Path path) throws IOException {
        return fs.openFile(inner(path));
    }

    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(Path path, OpenFileParameters parameters)
            throws IOException {
        return super.openFileWithOptions(inner(path), parameters);
    }

    @Override
    public BlockLocation @Nullable [] getFileBlockLocations(FileStatus file, long start, long length)
            throws IOException {
        return fs.getFileBlockLocations(inner(file.getPath()), start, length);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        FileStatus status = fs.getFileStatus(inner(path));
        status.setPath(path);
        return status;
    }
}
