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
package org.hadoopmpsr.namenode.copies;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.Server;

/**
 * The processes that move blocks and asked for the allocation recently. A process is identified by the id that its RPC
 * client gives to all its calls. Thread-safe.
 */
public final class Movers {
    private static final long MAX_AGE_NS = TimeUnit.HOURS.toNanos(1);

    private final MpsrNamesystem system;
    private final Map<ByteBuffer, Long> seenNs = new ConcurrentHashMap<>();

    public Movers(MpsrNamesystem system) {
        this.system = system;
    }

    /** Records that the caller has asked. Only for superusers, like moving blocks. */
    public void add() throws IOException {
        system.checkSuperuser("mpsrStatus", null);
        long now = system.clock().monotonicNowNanos();
        seenNs.values().removeIf(seen -> now - seen > MAX_AGE_NS);
        seenNs.put(ByteBuffer.wrap(Server.getClientId()), now);
    }

    /** True if the caller has asked. */
    public boolean isCaller() {
        Long seen = seenNs.get(ByteBuffer.wrap(Server.getClientId()));
        return seen != null && system.clock().monotonicNowNanos() - seen <= MAX_AGE_NS;
    }
}
