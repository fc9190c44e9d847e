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

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.Timer;

/** A clock that tests put forward. There is one for all NameNodes of the JVM, because HDFS makes their plugins itself. */
public final class TestClock extends Timer {
    private static final AtomicLong AHEAD_MS = new AtomicLong();

    /** Lets MPSR in the NameNodes of this configuration run by this clock. */
    static void use(Configuration conf) {
        conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, Plugin.class.getName());
    }

    static void advance(Duration time) {
        AHEAD_MS.addAndGet(time.toMillis());
    }

    @Override
    public long now() {
        return super.now() + AHEAD_MS.get();
    }

    @Override
    public long monotonicNow() {
        return super.monotonicNow() + AHEAD_MS.get();
    }

    @Override
    public long monotonicNowNanos() {
        return super.monotonicNowNanos() + Duration.ofMillis(AHEAD_MS.get()).toNanos();
    }

    /** MPSR with this clock. */
    public static final class Plugin implements ServicePlugin {
        private final MpsrPlugin mpsr = new MpsrPlugin(new TestClock());

        @Override
        public void start(Object service) {
            mpsr.start(service);
        }

        @Override
        public void stop() {
            mpsr.stop();
        }

        @Override
        public void close() {
            mpsr.close();
        }
    }
}
