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

/** The most recent plans, each with its token from the server. Thread-safe. */
final class PlanCache {
    /** The weight of a plan without files, in files. */
    private static final long EMPTY = 100;
    /** The bytes of a request that weigh as much as one file. */
    private static final long REQUEST_BYTES = 100;

    private final long maxFiles;
    private final Map<PlanRequestProto, Entry> byRequest = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;

    /** @param maxFiles about the maximum number of planned files to keep; 0 to keep nothing */
    PlanCache(long maxFiles) {
        this.maxFiles = maxFiles;
    }

    /** A plan, and the token that stands for everything that the plan depends on. */
    record Entry(ByteString token, ReadPlan plan) {}

    /** @param request the request without a token */
    synchronized @Nullable Entry get(PlanRequestProto request) {
        return byRequest.get(request);
    }

    /** Keeps a plan. It replaces the earlier plan of the request, and the least recently used plans. */
    synchronized void put(PlanRequestProto request, Entry entry) {
        remove(request);
        long added = weight(request, entry);
        if (added > maxFiles) {
            return;
        }
        byRequest.put(request, entry);
        weight += added;
        Iterator<Map.Entry<PlanRequestProto, Entry>> eldest =
                byRequest.entrySet().iterator();
        while (weight > maxFiles) {
            Map.Entry<PlanRequestProto, Entry> oldest = eldest.next();
            weight -= weight(oldest.getKey(), oldest.getValue());
            eldest.remove();
        }
    }

    synchronized void remove(PlanRequestProto request) {
        Entry entry = byRequest.remove(request);
        if (entry != null) {
            weight -= weight(request, entry);
        }
    }

    private static long weight(PlanRequestProto request, Entry entry) {
        long perFile = 1 + request.getColumnCount();
        return EMPTY
                + request.getSerializedSize() / REQUEST_BYTES
                + entry.plan.files().size() * perFile;
    }
}
