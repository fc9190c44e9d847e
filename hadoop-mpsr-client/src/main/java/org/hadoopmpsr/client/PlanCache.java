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
package org.hadoopmpsr.client;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.jspecify.annotations.Nullable;

/**
 * The most recent plans, each with its token from the server. Clients of several users may share one, and none finds a plan of another.
 * Thread-safe.
 */
public final class PlanCache {
    /** The weight of a plan without files, in files. */
    private static final long EMPTY = 100;
    /** The bytes of a request that weigh as much as one file. */
    private static final long REQUEST_BYTES = 100;

    private final long maxFiles;
    private final Map<Key, Entry> byRequest = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;

    /** @param maxFiles about the maximum number of planned files to keep, of all clients together; 0 to keep nothing */
    public PlanCache(long maxFiles) {
        this.maxFiles = maxFiles;
    }

    /** A plan, and the token that stands for everything that the plan depends on. */
    record Entry(ByteString token, ReadPlan plan) {}

    /** A request of a client, which is the same as itself alone. */
    private record Key(Object owner, PlanRequestProto request) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && key.owner == owner && key.request.equals(request);
        }

        @Override
        public int hashCode() {
            return 31 * System.identityHashCode(owner) + request.hashCode();
        }
    }

    /**
     * The plan that is kept of a request.
     *
     * @param owner whose plan it is
     * @param request the request without a token
     */
    synchronized @Nullable Entry get(Object owner, PlanRequestProto request) {
        return byRequest.get(new Key(owner, request));
    }

    /** Keeps a plan. It replaces the earlier plan of the request, and the least recently used plans. */
    synchronized void put(Object owner, PlanRequestProto request, Entry entry) {
        remove(owner, request);
        long added = weight(request, entry);
        if (added > maxFiles) {
            return;
        }
        byRequest.put(new Key(owner, request), entry);
        weight += added;
        Iterator<Map.Entry<Key, Entry>> eldest = byRequest.entrySet().iterator();
        while (weight > maxFiles) {
            Map.Entry<Key, Entry> oldest = eldest.next();
            weight -= weight(oldest.getKey().request, oldest.getValue());
            eldest.remove();
        }
    }

    synchronized void remove(Object owner, PlanRequestProto request) {
        Entry entry = byRequest.remove(new Key(owner, request));
        if (entry != null) {
            weight -= weight(request, entry);
        }
    }

    /** Forgets all plans of a client. */
    synchronized void removeAll(Object owner) {
        byRequest.entrySet().removeIf(kept -> {
            if (kept.getKey().owner != owner) {
                return false;
            }
            weight -= weight(kept.getKey().request, kept.getValue());
            return true;
        });
    }

    private static long weight(PlanRequestProto request, Entry entry) {
        long perFile = 1 + request.getColumnCount();
        return EMPTY
                + request.getSerializedSize() / REQUEST_BYTES
                + entry.plan.files().size() * perFile;
    }
}
