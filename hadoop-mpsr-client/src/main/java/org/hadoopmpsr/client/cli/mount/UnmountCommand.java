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
package org.hadoopmpsr.client.cli.mount;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mpsr unmount}. */
@Command(
        name = "unmount",
        description = "Unmount what 'hdfs mpsr mount' has mounted, and end its process.",
        mixinStandardHelpOptions = true)
public final class UnmountCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "MOUNTPOINT", description = "Where it is mounted.")
    private Path mountPoint;

    @Option(names = "--lazy", description = "Take it away from programs that use it.")
    private boolean lazy;

    @Override
    public Integer call() throws Exception {
        MountJar.load().unmount(mountPoint, lazy);
        return 0;
    }
}
