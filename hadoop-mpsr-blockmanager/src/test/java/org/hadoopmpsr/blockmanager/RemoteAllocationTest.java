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
package org.hadoopmpsr.blockmanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Timer;
import org.junit.jupiter.api.Test;

class RemoteAllocationTest {
    private final Configuration conf = new Configuration(false);
    private long laterSeconds;
    private final RemoteAllocation allocation = new RemoteAllocation(conf, new Timer() {
        @Override
        public long monotonicNowNanos() {
            return TimeUnit.SECONDS.toNanos(laterSeconds);
        }
    });

    @Test
    void withoutGroupsNobodyIsAsked() {
        assertThat(allocation.get()).isEmpty();
    }

    @Test
    void theNameNodeIsAskedOnceInAWhile() {
        conf.set("dfs.mpsr.replica.groups", "a,b");
        conf.set(FakeAllocationSource.KEY, "u0=a,u1=b");
        assertThat(allocation.get()).isEqualTo(Map.of("u0", "a", "u1", "b"));

        conf.unset(FakeAllocationSource.KEY);
        assertThat(allocation.get()).hasSize(2);
        laterSeconds = 60;
        assertThat(allocation.get()).hasSize(2);

        conf.set(FakeAllocationSource.KEY, "u0=a");
        laterSeconds = 61;
        assertThat(allocation.get()).isEqualTo(Map.of("u0", "a"));
    }

    @Test
    void withoutAnAnswerNoBlockMayMove() {
        conf.set("dfs.mpsr.replica.groups", "a,b");

        assertThatThrownBy(allocation::get)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("dfs.mpsr.replica.groups is set")
                .hasMessageContaining("the NameNode did not tell it: connection refused")
                .hasMessageContaining("no block is moved until this is repaired");
    }
}
