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
package org.hadoopmpsr.catalog.server;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.hadoopmpsr.client.catalog.Gateway;

/** What {@code hdfs mpsr catalog} starts. */
public final class RestGateway implements Gateway {
    @Override
    public void serve(Configuration conf, URI fs, Options options, Ready ready)
            throws IOException, InterruptedException {
        try (CatalogServer server = CatalogServer.start(conf, fs, options)) {
            ready.at(server.uri());
            server.join();
        }
    }
}
