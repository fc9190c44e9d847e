/** The client of MPSR in the NameNode: the RPC protocol, its proxies (HA aware) and the typed calls on top. */
package org.hadoopmpsr.client;
