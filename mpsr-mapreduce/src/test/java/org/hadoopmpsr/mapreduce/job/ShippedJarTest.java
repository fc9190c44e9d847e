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
package org.hadoopmpsr.mapreduce.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which jobs get MPSR's jar, and how YARN finds it among the files of a job. */
class ShippedJarTest {
    @TempDir
    private java.nio.file.Path dir;

    private static Configuration conf(String... settings) {
        Configuration conf = new Configuration(false);
        for (int i = 0; i < settings.length; i += 2) {
            conf.set(settings[i], settings[i + 1]);
        }
        return conf;
    }

    @Test
    void saysWhyTasksCannotHaveIt() {
        assertThat(new ShippedJar(conf(), null).problem()).isEmpty();
        assertThat(new ShippedJar(conf("mapreduce.framework.name", "yarn"), "/a.jar").problem())
                .isEmpty();
        assertThat(new ShippedJar(conf("mapreduce.framework.name", "yarn"), null).problem())
                .contains("the classes of MPSR are not in a jar");
        assertThat(new ShippedJar(conf("mapreduce.framework.name", "yarn-tez"), "/a.jar").problem())
                .contains("mapreduce.framework.name is yarn-tez");
        assertThat(new ShippedJar(
                                conf("mapreduce.framework.name", "yarn", "mapreduce.job.ubertask.enable", "true"),
                                "/a.jar")
                        .problem())
                .contains("mapreduce.job.ubertask.enable is true");
    }

    @Test
    void isOneOfTheFilesThatYarnBrings() throws Exception {
        java.nio.file.Path jar = dir.resolve("mpsr-mapreduce.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String name : List.of("org/hadoopmpsr/A.class", "META-INF/services/org.apache.hadoop.Service")) {
                out.putNextEntry(new ZipEntry(name));
                out.write(name.getBytes(StandardCharsets.UTF_8));
            }
        }
        Configuration conf = conf("mapreduce.framework.name", "yarn", "fs.defaultFS", "file:///");
        FileSystem fs = FileSystem.getLocal(conf).getRaw();
        Path other = new Path(dir.toUri().getPath(), "other.jar");
        fs.create(other).close();
        FileStatus before = fs.getFileStatus(other);
        conf.set(MRJobConfig.CACHE_FILES, other.toUri() + "#other.jar");
        conf.set(MRJobConfig.CACHE_FILE_TIMESTAMPS, String.valueOf(before.getModificationTime()));
        conf.set(MRJobConfig.CACHE_FILES_SIZES, "0");
        conf.set(MRJobConfig.CACHE_FILE_VISIBILITIES, "false");
        Path staging = new Path(dir.toUri().getPath(), "staging");
        fs.mkdirs(staging);

        new ShippedJar(conf, jar.toString()).ship(fs, staging);

        Map<String, LocalResource> brought = new HashMap<>();
        MRApps.setupDistributedCache(conf, brought);
        assertThat(brought).containsOnlyKeys("other.jar", ShippedJar.NAME);
        FileStatus shipped = fs.getFileStatus(new Path(staging, ShippedJar.NAME));
        assertThat(brought.get(ShippedJar.NAME).getSize()).isEqualTo(shipped.getLen());
        try (ZipFile zip = new ZipFile(new File(shipped.getPath().toUri()))) {
            assertThat(zip.stream()).extracting(ZipEntry::getName).containsExactly("org/hadoopmpsr/A.class");
        }
        assertThat(brought.get(ShippedJar.NAME).getTimestamp()).isEqualTo(shipped.getModificationTime());
        assertThat(shipped.getPermission().toString()).isEqualTo("rw-r--r--");
        assertThat(Job.getFileClassPaths(conf)).extracting(Path::getName).containsExactly(ShippedJar.NAME);
        assertThat(Job.getCacheFiles(conf)).extracting(URI::getFragment).containsExactly("other.jar", null);
    }
}
