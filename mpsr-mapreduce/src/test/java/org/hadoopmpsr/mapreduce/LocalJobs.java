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
package org.hadoopmpsr.mapreduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** Jobs of the local runner, and what jobs write. */
final class LocalJobs {
    private LocalJobs() {}

    /** What a client of a cluster has, without YARN. */
    static Configuration conf(MiniDFSCluster cluster, boolean enabled) {
        Configuration conf = new Configuration(false);
        conf.addResource("core-default.xml");
        conf.set("fs.defaultFS", cluster.getURI().toString());
        conf.set("mapreduce.framework.name", "local");
        conf.setBoolean("mpsr.mapreduce.enabled", enabled);
        conf.set("hadoop.tmp.dir", System.getProperty("hadoop.tmp.dir", "target/hadoop-tmp"));
        conf.setInt("mapreduce.task.io.sort.mb", 4);
        conf.setInt("mapreduce.local.map.tasks.maximum", 2);
        conf.setInt("mapreduce.client.completion.pollinterval", 20);
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", 20);
        return conf;
    }

    /** The lines of all files of an output, in the order of the files. */
    static List<String> lines(FileSystem fs, Path out) throws IOException {
        List<String> lines = new ArrayList<>();
        for (FileStatus file : fs.listStatus(out)) {
            try (FSDataInputStream in = fs.open(file.getPath())) {
                new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(lines::add);
            }
        }
        return lines;
    }
}
