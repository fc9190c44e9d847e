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
package org.hadoopmpsr.namenode.health;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.slf4j.Logger;

/**
 * Ends the safe mode of a start if it would last although nothing is lost. A block of a representation has few
 * replicas. A missing DataNode therefore keeps HDFS waiting, although other groups hold the same records. When no more
 * reports arrive, the blocks that can be spared count as reported. If that does not reach HDFS's own threshold, safe
 * mode stays, and the status gives the reason. Called by one thread.
 */
public final class SafeModeExit {
    private static final Logger LOG = PrintableLog.of(SafeModeExit.class);

    private final MpsrNamesystem system;
    private final MissingBlocks missingBlocks;
    private final long quietNs;
    private long awaited = -1;
    private long quietSinceNs;
    private boolean judged;
    private volatile String reason = "";

    public SafeModeExit(MpsrNamesystem system, MpsrConfig config, MissingBlocks missingBlocks) {
        this.system = system;
        this.missingBlocks = missingBlocks;
        this.quietNs = TimeUnit.SECONDS.toNanos(config.safeModeQuietSeconds());
    }

    /** The reason why safe mode stays; empty if it does not stay, or the reason is not known yet. */
    public String reason() {
        return reason;
    }

    /** Judges if nothing was reported for a while. Costs almost nothing outside safe mode. */
    public void check() throws IOException {
        long now = system.safeMode().isOfStart() ? system.safeMode().blocksAwaited() : 0;
        if (now != awaited) {
            awaited = now;
            quietSinceNs = system.clock().monotonicNowNanos();
            judged = false;
            reason = "";
        }
        if (awaited > 0 && !judged && system.clock().monotonicNowNanos() - quietSinceNs >= quietNs) {
            judge();
        }
    }

    private void judge() throws IOException {
        judged = true;
        MissingBlocks.Count missing = missingBlocks.count();
        String counts = "the NameNode waits for " + awaited + " more block(s); of the missing ones " + missing.spared()
                + " can be rebuilt from other replica groups and " + missing.lost() + " of datasets cannot";
        if (missing.spared() >= awaited) {
            LOG.warn("MPSR: leaving safe mode: {}", counts);
            system.safeMode().leave();
            if (system.safeMode().isOfStart()) {
                reason = "safe mode stays: HDFS has found blocks newer than its namespace; see dfsadmin -safemode get";
            }
        } else {
            reason = "safe mode stays: " + counts + "; start the DataNodes that are missing";
            LOG.warn("MPSR: {}", reason);
        }
    }
}
