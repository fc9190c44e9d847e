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
package org.hadoopmpsr.client.cli.common;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import picocli.CommandLine.Option;

/** The options that all commands share: which file system, and how to print. */
public final class Connection {
    @Option(
            names = {"-fs", "--fs"},
            paramLabel = "URI",
            description = "The file system. Default: fs.defaultFS of the configuration.")
    private URI fs;

    @Option(names = "--json", description = "Print one JSON object on standard output.")
    private boolean json;

    private final Configuration conf = new HdfsConfiguration();

    /** True if the command prints JSON. */
    public boolean json() {
        return json;
    }

    /** The configuration of HDFS and of this command. */
    public Configuration conf() {
        return conf;
    }

    /** That is named, or the default one. */
    public URI fileSystem() {
        return fs == null ? FileSystem.getDefaultUri(conf) : fs;
    }

    /**
     * A client of the file system, which the caller closes.
     *
     * @throws IOException if it is not HDFS
     */
    public MpsrClient client() throws IOException {
        URI uri = fileSystem();
        if (!"hdfs".equals(uri.getScheme())) {
            throw new IOException("the file system '" + uri + "' is not HDFS; set fs.defaultFS in core-site.xml or give"
                    + " --fs hdfs://host:port");
        }
        return MpsrClient.create(conf, uri);
    }

    /** The directories of datasets, with the scheme, as jobs take them. */
    public List<String> qualified(List<Dataset> datasets) {
        return datasets.stream()
                .map(dataset -> new Path(dataset.path())
                        .makeQualified(fileSystem(), null)
                        .toString())
                .toList();
    }

    /**
     * The path without scheme.
     *
     * @throws IOException unless it is absolute and on this file system
     */
    public String path(String given) throws IOException {
        Path path = new Path(given);
        if (!path.isUriPathAbsolute()) {
            throw new IOException("the path '" + given + "' is relative; name it from the root, such as /cals/meas");
        }
        URI home = fileSystem();
        URI named = path.makeQualified(home, new Path("/")).toUri();
        if (!Objects.equals(named.getScheme(), home.getScheme())
                || !Objects.equals(named.getAuthority(), home.getAuthority())) {
            throw new IOException("the path '" + given + "' is not on the file system " + home
                    + "; leave its scheme out, or name its file system with --fs");
        }
        return named.getPath();
    }
}
