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
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem.Read;
import org.apache.hadoop.ipc.RetryCache;
import org.apache.hadoop.ipc.RetryCache.CacheEntry;
import org.apache.hadoop.ipc.Server;

/**
 * Recognises a call that a client repeats because it received no answer, by HDFS's retry cache; if the first call went
 * to another NameNode, by the edit log. Needs no lock. Thread-safe.
 */
public final class RepeatedCalls {
    private final FSNamesystem namesystem;

    RepeatedCalls(FSNamesystem namesystem) {
        this.namesystem = namesystem;
    }

    /**
     * Carries out the call of this thread or, if the call succeeded before, only answers it. Waits for a call that is
     * being carried out.
     *
     * @param call the call; its change to the namespace must be one of those in {@link NamespaceEdits} that name the
     *     call
     */
    public <T> T once(Read<T> call, Read<T> answer) throws IOException {
        CacheEntry entry =
                RetryCache.waitForCompletion(namesystem.getRetryCache(), Server.getClientId(), Server.getCallId());
        if (entry != null && entry.isSuccess()) {
            return answer.run();
        }
        boolean done = false;
        try {
            T result = call.run();
            done = true;
            return result;
        } finally {
            RetryCache.setState(entry, done);
        }
    }
}
