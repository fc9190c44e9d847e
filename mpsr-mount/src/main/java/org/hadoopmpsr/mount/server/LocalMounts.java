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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.hadoopmpsr.client.mount.Mounts;

/** What {@code hdfs mpsr mount} and {@code hdfs mpsr unmount} do on this host. */
public final class LocalMounts implements Mounts {
    private static final Path DEVICE = Path.of("/dev/fuse");

    @Override
    public int mount(Options options, Consumer<Mounted> ready) throws IOException, InterruptedException {
        Path directory = real(options.mountPoint());
        boolean root = Programs.isRoot();
        check(directory, root);
        MountArguments arguments = new MountArguments(
                options.fs().toString(),
                options.path(),
                directory,
                options.write(),
                options.allowOther(),
                options.threads(),
                !root,
                options.principal(),
                options.keytab());
        ProcessBuilder builder = ServerCommand.of(arguments, root, options.foreground());
        Path log = null;
        if (options.foreground()) {
            builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        } else {
            log = log(options, directory);
            builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        }
        StartedServer server = StartedServer.start(builder, arguments, log);
        ready.accept(new Mounted(arguments.source(), arguments.directory(), log));
        return options.foreground() ? server.await() : server.leave();
    }

    private static void check(Path directory, boolean root) throws IOException {
        if (!Files.exists(DEVICE)) {
            throw new IOException("there is no " + DEVICE
                    + ": load the kernel's module with 'modprobe fuse'; a container must be given the device");
        }
        if (MountPoint.at(directory).isPresent()) {
            throw new IOException(directory + " is a mount of HDFS already; unmount it with 'hdfs mpsr unmount'");
        }
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("the mount point " + directory + " is no directory; create it with 'mkdir'");
        }
        String needed = root ? "mount" : "fusermount3";
        if (!Programs.has(needed)) {
            throw new IOException("there is no program '" + needed + "'; install the package "
                    + (root ? "mount or util-linux" : "fuse3, or mount as root"));
        }
        if (!root && !Programs.has("python3")) {
            throw new IOException("there is no program 'python3', by which users get the device from fusermount3;"
                    + " install it, or mount as root");
        }
    }

    /** As the kernel lists it. A mount whose server does not answer is not looked at; the directory above it is. */
    private static Path real(Path directory) throws IOException {
        Path named = directory.toAbsolutePath().normalize();
        Path above = named.getParent();
        Path name = named.getFileName();
        if (above == null || name == null) {
            throw new IOException("the mount point " + named + " is the root of this host; name another directory");
        }
        try {
            return above.toRealPath().resolve(name);
        } catch (NoSuchFileException e) {
            throw new IOException("the mount point " + named + " is no directory; create it with 'mkdir'", e);
        }
    }

    private static Path log(Options options, Path directory) throws IOException {
        if (options.log() != null) {
            return options.log().toAbsolutePath();
        }
        String logs = System.getProperty("hadoop.log.dir", "");
        String name = "mpsr-mount-" + System.getProperty("user.name")
                + directory.toString().replace('/', '-');
        if (!logs.isEmpty() && new File(logs).isDirectory() && new File(logs).canWrite()) {
            return Path.of(logs, name + ".log").toAbsolutePath();
        }
        return Files.createTempFile(name + "-", ".log");
    }

    @Override
    public void unmount(Path mountPoint, boolean lazily) throws IOException {
        Path directory = real(mountPoint);
        Optional<MountPoint> mount = MountPoint.at(directory);
        if (mount.isEmpty()) {
            throw new IOException(
                    directory + " is no mount of HDFS; 'findmnt -t " + MountPoint.TYPE + "' lists those there are");
        }
        try {
            MountPoint.unmount(directory, Programs.isRoot(), lazily);
        } catch (IOException e) {
            throw new IOException(
                    "cannot unmount " + directory + ": " + e.getMessage()
                            + (lazily ? "" : "; 'fuser -m' tells who uses it, --lazy takes it away from them"),
                    e);
        }
    }
}
