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

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.config.MpsrConfig;

/**
 * HDFS and MPSR, as the user whom Hadoop's client finds.
 *
 * @param client of MPSR in the NameNode, whether it has MPSR or not
 */
public record Connected(
        Store store, MpsrClient client, DatasetPlaces datasets, ExtendedAttributes extended, Owners owners)
        implements Closeable {

    /**
     * Connects.
     *
     * @param uri of the file system
     * @throws IOException if it is not HDFS, or the configuration cannot be read
     */
    public static Connected to(Configuration given, URI uri) throws IOException {
        Configuration conf = new Configuration(given);
        conf.set(FsPermission.UMASK_LABEL, "000"); // the kernel has applied that of the program
        FileSystem fs = FileSystem.newInstance(uri, conf);
        if (!(fs instanceof DistributedFileSystem hdfs)) {
            fs.close();
            throw new IOException(
                    "the file system '" + uri + "' is not HDFS; name a path of HDFS, or set fs.defaultFS");
        }
        MpsrClient client = MpsrClient.create(conf, uri);
        Store store = new Store(hdfs);
        DatasetPlaces datasets = new DatasetPlaces(client::listDatasets, System::nanoTime);
        ExtendedAttributes extended = new ExtendedAttributes(
                store, datasets, MpsrConfig.read(conf::get).costs().read());
        return new Connected(store, client, datasets, extended, new Owners(conf));
    }

    /**
     * A view of one of the directories.
     *
     * @param root its path, absolute and without scheme
     * @param writable true if programs may write
     * @throws IOException if there is no such directory, or it cannot be seen
     */
    public HdfsView view(String root, boolean writable) throws IOException {
        return new HdfsView(this, root, writable);
    }

    @Override
    public void close() throws IOException {
        client.close();
        store.fs().close();
    }
}
