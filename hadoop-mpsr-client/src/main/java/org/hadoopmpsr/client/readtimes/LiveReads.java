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
package org.hadoopmpsr.client.readtimes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.core.readtimes.ReadTime;

/**
 * Watches the DataNodes' counters of reads by JMX. Between two looks in which a DataNode has served reads, their mean is one read: of the
 * mean size, in the mean time, at the moment of the second look. DataNodes renew the counters every ten seconds. For one thread.
 */
public final class LiveReads {
    private static final String QUERY = "/jmx?qry=Hadoop:service=DataNode,name=DataNodeActivity*";
    private static final int TIMEOUT_MS = 5_000;

    private final List<DatanodeInfo> nodes;
    private final URLConnectionFactory connections;
    private final boolean https;
    private final Map<String, Counts> last = new HashMap<>();
    private final List<ReadTime> reads = new ArrayList<>();
    private final List<String> silent = new ArrayList<>();

    /** What a DataNode has served since it started. */
    record Counts(long reads, long bytes, long millis) {}

    LiveReads(Configuration conf, List<DatanodeInfo> nodes) {
        this.nodes = nodes;
        this.connections = URLConnectionFactory.newDefaultURLConnectionFactory(TIMEOUT_MS, TIMEOUT_MS, conf);
        this.https = HttpConfig.Policy.fromString(conf.getTrimmed("dfs.http.policy", "HTTP_ONLY"))
                == HttpConfig.Policy.HTTPS_ONLY;
    }

    /**
     * The live DataNodes of a cluster; only a superuser is told.
     *
     * @throws IllegalArgumentException if the file system is not HDFS
     */
    public static LiveReads of(URI fileSystem, Configuration conf) throws IOException {
        FileSystem fs = FileSystem.get(fileSystem, conf);
        if (!(fs instanceof DistributedFileSystem hdfs)) {
            throw new IllegalArgumentException(fileSystem + " is not HDFS; name one with --fs");
        }
        return new LiveReads(conf, List.of(hdfs.getDataNodeStats(DatanodeReportType.LIVE)));
    }

    /**
     * Looks once at all DataNodes. One that does not answer is passed over.
     *
     * @return the mean reads since the last look
     */
    public List<ReadTime> look() {
        int before = reads.size();
        silent.clear();
        for (DatanodeInfo node : nodes) {
            try {
                looked(node.getHostName() + ":" + node.getXferPort(), counts(node), System.currentTimeMillis());
            } catch (IOException e) {
                silent.add(node.getHostName() + " (" + e.getMessage() + ")");
            }
        }
        return List.copyOf(reads.subList(before, reads.size()));
    }

    /** Takes what a node tells at a moment. */
    void looked(String node, Counts now, long atMs) {
        Counts before = last.put(node, now);
        long served = before == null ? 0 : now.reads() - before.reads();
        if (before != null && served > 0 && now.bytes() > before.bytes()) {
            long nanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, now.millis() - before.millis())) / served;
            reads.add(new ReadTime(
                    node, "", "", Math.max(1, (now.bytes() - before.bytes()) / served), Math.max(1, nanos), atMs));
        }
    }

    /** The mean reads so far. */
    public List<ReadTime> reads() {
        return List.copyOf(reads);
    }

    /** The DataNodes that did not answer the last look, with the reason. */
    public List<String> silent() {
        return List.copyOf(silent);
    }

    private Counts counts(DatanodeInfo node) throws IOException {
        String address = https ? "https://" + node.getInfoSecureAddr() : "http://" + node.getInfoAddr();
        try {
            URLConnection connection =
                    connections.openConnection(new URL(address + QUERY), UserGroupInformation.isSecurityEnabled());
            try (InputStream in = connection.getInputStream()) {
                return counts(in);
            }
        } catch (org.apache.hadoop.security.authentication.client.AuthenticationException e) {
            throw new IOException(e);
        }
    }

    /** Reads the answer; names that are not there count as 0. */
    static Counts counts(InputStream json) throws IOException {
        Map<String, Long> values = new HashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_NUMBER_INT) {
                    values.put(parser.getCurrentName(), parser.getLongValue());
                }
            }
        }
        return new Counts(
                values.getOrDefault("ReadBlockOpNumOps", 0L),
                values.getOrDefault("BytesRead", 0L),
                values.getOrDefault("TotalReadTime", 0L));
    }
}
