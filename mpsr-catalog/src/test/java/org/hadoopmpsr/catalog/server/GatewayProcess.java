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

import java.nio.file.Files;
import java.nio.file.Path;

/** A gateway of a small cluster as a process, for tools that send requests. Ends with its standard input. */
final class GatewayProcess {
    private GatewayProcess() {}

    /** @param arguments the file to write the address to */
    public static void main(String[] arguments) throws Exception {
        try (RunningGateway gateway = new RunningGateway()) {
            Files.writeString(Path.of(arguments[0]), gateway.uri().toString());
            while (System.in.read() >= 0) {
                // until the other side closes it
            }
        }
    }
}
