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
package org.hadoopmpsr.mount.server;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.mount.fuse.Dispatcher;

/** The command line of the process that serves a mount: this process's Java, options and class path, and the device. */
final class ServerCommand {
    /** A shell opens the device to read and write, which Java cannot do for a process that it starts. */
    private static final String WITH_DEVICE = "exec \"$@\" 0<>/dev/fuse";

    private static final String USERS_MOUNT = "mount_as_user.py";

    private ServerCommand() {}

    /**
     * The process, to be started.
     *
     * @param root true if the process mounts itself
     * @param foreground true if it belongs to the terminal
     */
    static ProcessBuilder of(MountArguments arguments, boolean root, boolean foreground) throws IOException {
        List<String> command = new ArrayList<>();
        if (!foreground && Programs.has("setsid")) {
            command.add("setsid");
        }
        if (root) {
            command.addAll(List.of("sh", "-c", WITH_DEVICE, "sh"));
        } else {
            command.addAll(
                    List.of("python3", "-c", usersMount(), arguments.directory().toString()));
            command.add("fsname=" + escaped(arguments.source()) + ",subtype=mpsr,max_read=" + Dispatcher.MOST_BYTES
                    + "," + MountPoint.options(arguments.write(), arguments.allowOther()));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!option.startsWith("-agentlib:") && !option.startsWith("-javaagent:")) {
                command.add(option);
            }
        }
        command.add(MountProcess.class.getName());
        command.addAll(arguments.list());
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.put("CLASSPATH", System.getProperty("java.class.path"));
        speakEnglish(environment);
        return builder;
    }

    /** The server knows errors of the kernel by their texts, which Java takes from the language of the host. Names of files keep their charset. */
    private static void speakEnglish(Map<String, String> environment) {
        String all = environment.remove("LC_ALL");
        if (all != null) {
            environment.put("LC_CTYPE", all);
        }
        environment.put("LC_MESSAGES", "C");
    }

    private static String usersMount() throws IOException {
        try (InputStream script = ServerCommand.class.getResourceAsStream(USERS_MOUNT)) {
            if (script == null) {
                throw new IOException("the jar lacks " + USERS_MOUNT);
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A comma ends an option. */
    private static String escaped(String source) {
        return source.replace("\\", "\\\\").replace(",", "\\,");
    }
}
