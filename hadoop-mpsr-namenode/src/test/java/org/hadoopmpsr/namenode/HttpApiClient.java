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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.jspecify.annotations.Nullable;

/** Sends requests to the HTTP API of a NameNode. */
final class HttpApiClient {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final String root;
    /** Added to each request, such as {@code user.name=ann}. */
    private final String query;

    HttpApiClient(NameNode nameNode, String query) {
        this.root = "http://localhost:" + nameNode.getHttpAddress().getPort();
        this.query = query;
    }

    /**
     * An answer.
     *
     * @param json its body; null if it is no JSON
     */
    record Answer(int status, @Nullable JsonNode json) {

        JsonNode ok() {
            if (status != 200 || json == null) {
                throw new AssertionError("status " + status + ": " + json);
            }
            return json;
        }

        /** The class and the message of the exception. */
        String error() {
            JsonNode error = json == null ? null : json.get("RemoteException");
            if (error == null) {
                throw new AssertionError("no error, but status " + status + ": " + json);
            }
            return status + " " + error.get("exception").asText() + ": "
                    + error.get("message").asText();
        }
    }

    Answer get(String path) throws Exception {
        return send("GET", path, null);
    }

    Answer plan(String body) throws Exception {
        return send("POST", "/mpsr/v1/plan", body);
    }

    Answer send(String method, String path, @Nullable String body) throws Exception {
        return send(method, path, body, "application/json");
    }

    Answer send(String method, String path, @Nullable String body, String type) throws Exception {
        String address = root + path + (path.contains("?") ? "&" : "?") + query;
        HttpResponse<byte[]> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(address))
                                .header("Content-Type", type)
                                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(answer.statusCode(), json(answer.body()));
    }

    private static @Nullable JsonNode json(byte[] body) {
        try {
            return MAPPER.readTree(body);
        } catch (IOException e) {
            return null;
        }
    }
}
