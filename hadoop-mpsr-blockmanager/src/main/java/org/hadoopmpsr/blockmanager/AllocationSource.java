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
package org.hadoopmpsr.blockmanager;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Provides the allocation of nodes to a process that is not the NameNode, such as the Balancer or the Mover. Found by
 * {@link java.util.ServiceLoader}; needs a public constructor without arguments.
 */
public interface AllocationSource {

    /**
     * Asks the NameNode of the configuration's default file system.
     *
     * @return the replica group by DataNode uuid, without nodes that have no group
     */
    Map<String, String> fetch(Configuration conf) throws IOException;
}
