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
package org.hadoopmpsr.benchmarks.namenode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.GeneratedFiles;
import org.apache.hadoop.hdfs.server.namenode.Measurement;
import org.apache.hadoop.hdfs.server.namenode.OperationThreads;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.benchmarks.namenode.Alternation.Subject;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.layout.StoreLayout;

/**
 * How many calls a second that read a dataset's files a NameNode answers to an ordinary user, whose rights it checks: to
 * open a file, to list a directory, to ask for a file's status; in the dataset directory and in another group, and, on
 * stock, in an equal directory. A second NameNode without MPSR is compared with the first one too: what differs there is
 * the error of the measurement.
 */
final class ReadCost {
    private static final String DATASET = "/bench/meas";
    private static final String OTHER = "device";
    private static final int FILES_PER_GROUP = 334;
    private static final int THREADS = 4;

    private final int commits;
    private final int calls;
    private final Alternation alternation;

    /** @param calls of a chunk */
    ReadCost(int commits, int calls, Alternation alternation) {
        this.commits = commits;
        this.calls = calls;
        this.alternation = alternation;
    }

    /** A call with a path. */
    private interface Call {
        Object answer(ClientProtocol nameNode, String path) throws IOException;
    }

    /** The files below a directory, as a user reads them. */
    private record Place(ClientProtocol nameNode, List<String> directories, List<String> files) {

        /** Of the files that commits have put into a directory for each group. */
        static Place of(DistributedFileSystem reader, List<Commit> commits, String group, String root) {
            List<String> files = new ArrayList<>();
            Set<String> directories = new LinkedHashSet<>();
            for (Commit commit : commits) {
                commit.namesByDirectory().forEach((directory, names) -> {
                    if (directory.startsWith("/" + group + "/")) {
                        String path = root + directory.substring(group.length() + 1);
                        directories.add(path);
                        names.forEach(name -> files.add(path + "/" + name));
                    }
                });
            }
            return new Place(reader.getClient().getNamenode(), List.copyOf(directories), files);
        }
    }

    void run(Path directory, Report report) throws IOException {
        try (Cluster stock = Cluster.start(Files.createDirectory(directory.resolve("stock")), false);
                Cluster mpsr = Cluster.start(Files.createDirectory(directory.resolve("mpsr")), true);
                Cluster again = Cluster.start(Files.createDirectory(directory.resolve("again")), false);
                MpsrClient client = mpsr.client();
                DistributedFileSystem onStock = reader(stock);
                DistributedFileSystem onStockAgain = reader(again);
                DistributedFileSystem onMpsr = reader(mpsr)) {
            Dataset dataset = client.createDataset(DATASET, Cluster.SCHEMA);
            List<Commit> all = new ArrayList<>();
            for (int i = 0; i < commits; i++) {
                Commit commit = new Commit(dataset, i, FILES_PER_GROUP);
                commit.stage(client, generated(mpsr));
                commit.publish(client);
                for (Cluster without : List.of(stock, again)) {
                    commit.generate(generated(without), "/bench");
                    commit.generate(generated(without), "/a/store/of"); // as deep as the store
                }
                all.add(commit);
            }
            String first = dataset.groups().defaultName();
            String store = new StoreLayout("/.mpsr").groupDir(dataset.id(), OTHER);
            compare(
                    "",
                    Place.of(onStock, all, first, "/bench/" + first),
                    Place.of(onStockAgain, all, first, "/bench/" + first),
                    Place.of(onMpsr, all, first, DATASET),
                    report);
            compare(
                    "Other",
                    Place.of(onStock, all, OTHER, "/a/store/of/" + OTHER),
                    Place.of(onStockAgain, all, OTHER, "/a/store/of/" + OTHER),
                    Place.of(onMpsr, all, OTHER, store),
                    report);
        }
    }

    private void compare(String kind, Place stock, Place again, Place dataset, Report report) throws IOException {
        measure(
                "readerOpen" + kind,
                stock,
                again,
                dataset,
                Place::files,
                (n, path) -> n.getBlockLocations(path, 0, 1),
                report);
        measure(
                "readerList" + kind,
                stock,
                again,
                dataset,
                Place::directories,
                (n, path) -> n.getListing(path, HdfsFileStatus.EMPTY_NAME, false),
                report);
        measure("readerStatus" + kind, stock, again, dataset, Place::files, ClientProtocol::getFileInfo, report);
    }

    private void measure(
            String name,
            Place stock,
            Place again,
            Place dataset,
            Function<Place, List<String>> paths,
            Call call,
            Report report)
            throws IOException {
        alternation.measure(
                name,
                List.of(
                        subject(name, "stock", stock, paths, call, Goal.NONE),
                        subject(name, "again", again, paths, call, Goal.NONE),
                        subject(name, "dataset", dataset, paths, call, Goal.atLeast(0.97))),
                report);
    }

    private Subject subject(
            String name, String subject, Place place, Function<Place, List<String>> paths, Call call, Goal goal) {
        return new Subject(subject, () -> chunk(name, place.nameNode(), paths.apply(place), call), goal);
    }

    private Measurement chunk(String name, ClientProtocol nameNode, List<String> paths, Call call) throws IOException {
        return OperationThreads.run(
                name,
                (thread, n) -> {
                    String path = paths.get((n * THREADS + thread) % paths.size());
                    if (call.answer(nameNode, path) == null) {
                        throw new IOException("there is no " + path);
                    }
                },
                THREADS,
                calls);
    }

    private static GeneratedFiles generated(Cluster cluster) {
        return new GeneratedFiles(cluster.mini().getNameNode(), System.getProperty("user.name"), (short) 1);
    }

    private static DistributedFileSystem reader(Cluster cluster) throws IOException {
        try {
            return UserGroupInformation.createRemoteUser("reader").doAs((PrivilegedExceptionAction<
                            DistributedFileSystem>)
                    () -> (DistributedFileSystem) FileSystem.newInstance(
                            cluster.mini().getURI(), cluster.mini().getConfiguration(0)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a reader connects", e);
        }
    }
}
