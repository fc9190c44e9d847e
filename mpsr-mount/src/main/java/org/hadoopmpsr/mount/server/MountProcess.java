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
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ShutdownHookManager;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.mount.view.Connected;
import org.hadoopmpsr.mount.view.HdfsView;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The process that serves a mount. {@link LocalMounts} starts it, with the FUSE device as its standard input. It writes one line on
 * its standard output: that it is mounted, or why it is not. It ends when it is unmounted, and unmounts when it is to end.
 */
public final class MountProcess {
    private static final Logger LOG = PrintableLog.of(MountProcess.class);
    /** Before Hadoop closes its file systems. */
    private static final int HOOK_PRIORITY = 50;

    private static final long HOOK_SECONDS = 60;
    private static final long LOOK_MS = 1_000;
    /** So many looks in turn do not find a mount that has ended. */
    private static final int LOOKS = 2;

    private final MountArguments arguments;
    private final HdfsView view;
    private @Nullable MountPoint mount;
    private boolean left;

    private MountProcess(MountArguments arguments, HdfsView view) {
        this.arguments = arguments;
        this.view = view;
    }

    /** Exit code 0: it was unmounted; 1: it failed. */
    public static void main(String[] args) {
        System.exit(run(MountArguments.parse(args)));
    }

    private static int run(MountArguments arguments) {
        HdfsView view;
        try {
            view = connect(arguments);
        } catch (IOException | RuntimeException e) {
            LOG.error("not mounted", e);
            report(MountReport.failed(MpsrClient.answer(e)));
            if (arguments.mounted()) {
                unmount(arguments.directory());
            }
            return 1;
        }
        return new MountProcess(arguments, view).serve();
    }

    private static HdfsView connect(MountArguments arguments) throws IOException {
        Configuration conf = new HdfsConfiguration();
        UserGroupInformation.setConfiguration(conf);
        if (!arguments.keytab().isEmpty() && UserGroupInformation.isSecurityEnabled()) {
            String host = InetAddress.getLocalHost().getCanonicalHostName();
            UserGroupInformation.loginUserFromKeytab(
                    SecurityUtil.getServerPrincipal(arguments.principal(), host), arguments.keytab());
        }
        return Connected.to(conf, URI.create(arguments.fs())).view(arguments.path(), arguments.write());
    }

    private int serve() {
        try {
            if (!arguments.mounted()) {
                MountPoint.mount(arguments.source(), arguments.directory(), arguments.write(), arguments.allowOther());
            }
            MountPoint made = MountPoint.at(arguments.directory())
                    .orElseThrow(() -> new IOException("the kernel does not list " + arguments.directory()));
            mount = made;
            ShutdownHookManager.get().addShutdownHook(this::end, HOOK_PRIORITY, HOOK_SECONDS, TimeUnit.SECONDS);
            Thread watch = new Thread(() -> watch(made), "mpsr-mount-watch");
            watch.setDaemon(true);
            watch.start();
            LOG.info("{} is mounted at {}", arguments.source(), arguments.directory());
            new FuseServer(new FuseDevice(), view, arguments.threads(), () -> {
                        made.readAhead();
                        report(MountReport.mounted());
                    })
                    .run();
            LOG.info("{} is unmounted", arguments.directory());
            end();
            return 0;
        } catch (IOException | RuntimeException e) {
            LOG.error("the mount at {} ends", arguments.directory(), e);
            report(MountReport.failed(String.valueOf(e.getMessage())));
            end();
            return 1;
        }
    }

    /**
     * The kernel keeps a mount alive that another namespace has a copy of. It ends where it was made. The kernel's list may lack a line
     * while other mounts change, so one look does not tell.
     */
    private void watch(MountPoint made) {
        try {
            for (int missing = 0; missing < LOOKS; missing = made.isThere() ? 0 : missing + 1) {
                Thread.sleep(LOOK_MS);
            }
            System.exit(0);
        } catch (IOException e) {
            LOG.warn("nobody sees any more whether {} is mounted", arguments.directory(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Before the process ends: unmounts, and closes what is being written. Who comes later waits until this is done. */
    private synchronized void end() {
        if (left) {
            return;
        }
        left = true;
        if (mount == null ? arguments.mounted() : isOnTop(mount)) {
            unmount(arguments.directory());
        }
        try {
            view.close();
        } catch (IOException e) {
            LOG.warn("HDFS could not be left in good order", e);
        }
    }

    /** True if the directory leads to this mount, and not to a newer one of another process. */
    private static boolean isOnTop(MountPoint mount) {
        try {
            return MountPoint.at(mount.directory()).filter(mount::equals).isPresent();
        } catch (IOException e) {
            LOG.warn("nobody sees whether {} is mounted", mount.directory(), e);
            return false;
        }
    }

    private static void unmount(Path directory) {
        try {
            boolean root = Programs.isRoot();
            try {
                MountPoint.unmount(directory, root, false);
            } catch (IOException e) {
                MountPoint.unmount(directory, root, true); // programs use it
            }
        } catch (IOException e) {
            LOG.warn("{} could not be unmounted", directory, e);
        }
    }

    private static void report(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
