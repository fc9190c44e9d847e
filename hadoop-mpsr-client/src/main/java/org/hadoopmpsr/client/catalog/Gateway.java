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
package org.hadoopmpsr.client.catalog;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;

/** A gateway of Iceberg's REST protocol. Its classes and libraries are not among those of the commands. */
public interface Gateway {
    /**
     * How a gateway serves.
     *
     * @param host to listen at
     * @param port to listen at; 0 for any free one
     * @param pageFiles the most files in an answer, at least 1
     * @param bodyBytes the most bytes of a request's body
     * @param plans the most scans that are planned at a time, at least 1; clients of further ones are told to ask again
     * @param planFiles the most files of a scan, at least 1
     * @param appends the most appends that are done at a time, at least 1; clients of further ones are told to try again
     * @param appendBytes the most bytes of the files of an append, at least 1
     * @param tls true to serve over TLS alone, with the keys that {@code ssl-server.xml} names
     */
    record Options(
            String host,
            int port,
            int pageFiles,
            int bodyBytes,
            int plans,
            int planFiles,
            int appends,
            long appendBytes,
            boolean tls) {}

    /** Is told where a gateway listens. */
    interface Ready {
        void at(URI uri);
    }

    /**
     * Serves until the process is ended.
     *
     * @param fs the URI of the file system
     * @throws IOException if it cannot begin
     */
    void serve(Configuration conf, URI fs, Options options, Ready ready) throws IOException, InterruptedException;
}
