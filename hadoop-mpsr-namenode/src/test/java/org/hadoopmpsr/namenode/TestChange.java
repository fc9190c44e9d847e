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
package org.hadoopmpsr.namenode;

import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;

/** A change of a dataset as a job makes it. */
interface TestChange {
    String id();

    /** @param path where the dataset is now */
    TestChange stage(MpsrClient client, String path, DistributedFileSystem fs) throws IOException;

    /** @param path where the dataset is now */
    PublishResult publish(MpsrClient client, String path) throws IOException;
}
