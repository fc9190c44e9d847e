/**
 * Block placement by replica group: what the NameNode, the Balancer and the Mover load. Decides nothing itself; the
 * plugin in the NameNode binds a {@link org.hadoopmpsr.blockmanager.PlacementView}.
 */
package org.hadoopmpsr.blockmanager;
